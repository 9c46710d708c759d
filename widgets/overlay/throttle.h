// What a log's throttle masks say, as spans of time by class.
#pragma once

#include "store/reader.h"

#include <string>
#include <vector>

namespace wattproof::widgets {

struct ThrottleSpan {
    TimeRange range;
    std::string throttleClass;  // thermal, power, current, other, idle
    std::string reasons;        // "sw_power_cap, bit 12"
    DeviceId device;
};

// Classes in the order in which they are shown, the gravest first.
[[nodiscard]] const std::vector<std::string> &throttleClasses();
// The classes that have a row: those that had one, and those of the spans.
[[nodiscard]] std::vector<std::string> rowsWith(const std::vector<std::string> &before,
                                                const std::vector<ThrottleSpan> &);
// "Thermal", "Power cap", …: the word beside a row of spans.
[[nodiscard]] std::string throttleWord(const std::string &throttleClass);

// Spans of each class that a mask channel tells, by time. A bucket with several masks counts for each that its
// first, last, least and greatest value name; a mask stands until the next one, over a gap for one period.
[[nodiscard]] Expected<std::vector<ThrottleSpan>> throttleSpans(const CounterRow &mask,
                                                                const std::vector<store::CounterBucket> &,
                                                                Ns period);

}  // namespace wattproof::widgets
