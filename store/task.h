// How long work reports and is cancelled: import, analysis, alignment, export.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace wattproof {

struct ProgressReport {
    std::string stage;              // "Reading train.json.gz", "Sorting", "Writing slices": shown as it is
    std::uint64_t done = 0;         // in `unit`s of this stage
    std::uint64_t total = 0;        // 0 = unknown
    std::string unit = "bytes";     // "bytes", "slices", "rules"
};

// Called from the working thread, already throttled to about ten a second by the caller; must return quickly.
using ProgressFn = std::function<void(const ProgressReport &)>;

struct Task {
    ProgressFn progress;
    std::stop_token stop;

    [[nodiscard]] bool cancelled() const { return stop.stop_requested(); }
    void report(const ProgressReport &r) const {
        if (progress)
            progress(r);
    }
};

}  // namespace wattproof
