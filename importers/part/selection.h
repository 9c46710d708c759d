// Which part of a trace is wanted, for files that are too large to be kept whole.
#pragma once

#include "store/result.h"
#include "store/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

struct Selection {
    std::optional<TimeRange> range;       // ns since the beginning of the trace: its earliest event
    std::vector<std::string> categories;  // empty: all

    [[nodiscard]] bool isWhole() const { return !range && categories.empty(); }
    // Whether what runs in [ts, ts + dur] reaches into the range.
    [[nodiscard]] bool reaches(Ns ts, Ns dur) const;
    // Whether a category is one of those wanted, or a list ("a,b") that names one of them.
    [[nodiscard]] bool names(std::string_view category) const;
};

// "2..5.5": seconds since the beginning of the trace, to the nanosecond; either side may be left out.
[[nodiscard]] Expected<TimeRange> rangeFromText(std::string_view text);
[[nodiscard]] std::string textOf(TimeRange);
// "2 s to 5.5 s", "2 s to the end".
[[nodiscard]] std::string wordsOf(TimeRange);

// "cpu_op,kernel"; blanks around a name do not count.
[[nodiscard]] std::vector<std::string> categoriesFromText(std::string_view text);
[[nodiscard]] std::string textOf(const std::vector<std::string> &categories);

}  // namespace wattproof::importers
