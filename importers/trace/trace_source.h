// What every import of a trace does around its events: the source's row, progress, cancelling, the clock, the
// hash, the summary. In this order: begin, checkpoint now and then, write, close. When and by what version a
// source was imported is the session's writer's to say.
#pragma once

#include "importers/importer.h"
#include "importers/trace/trace_builder.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace wattproof::importers {

// Whether a stated time is wall time since 1970, whatever else the file says: it lies in 2000 to 2100.
[[nodiscard]] bool isEpochTime(Ns stated);

class TraceSource {
public:
    TraceSource(Input &input, store::BulkWriter &writer, const Task &task)
        : input_(input), writer_(writer), task_(task) {}

    // Adds the source. The format may be made more precise until close().
    [[nodiscard]] Status begin(std::string format);
    [[nodiscard]] SourceRow &row() { return row_; }
    [[nodiscard]] const Task &task() const { return task_; }

    // To be called every few thousand records: cancelled(), and at most ten progress reports a second.
    [[nodiscard]] Status checkpoint() { return checkpoint(input_.bytesConsumed(), input_.sizeBytes(), "bytes"); }
    // The same where progress is no matter of the file's bytes; a total of 0 is unknown.
    [[nodiscard]] Status checkpoint(std::uint64_t done, std::uint64_t total, std::string_view unit);

    // Writes the builder's events, after which the row knows its base, and settles the clock: on wall time where
    // the base is, or where wallBase (epoch time of stated time 0) moves it there.
    [[nodiscard]] Status write(TraceBuilder &, std::optional<Ns> wallBase);
    // The same step where only the base tells what wall time it is.
    void settleClock(std::optional<Ns> wallBase);
    // Hashes the file and makes the source visible.
    [[nodiscard]] Expected<Summary> close(std::int64_t events);

private:
    using Clock = std::chrono::steady_clock;

    Input &input_;
    store::BulkWriter &writer_;
    const Task &task_;
    SourceRow row_;
    Summary summary_;
    Clock::time_point started_ = Clock::now(), reported_{};
};

}  // namespace wattproof::importers
