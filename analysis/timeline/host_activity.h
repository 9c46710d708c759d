// What a host call does, and where on the time axis the host did it: the evidence for idle causes.
#pragma once

#include "analysis/intervals.h"
#include "store/reader.h"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::analysis {

// In order of precedence: where several cover the same nanosecond, the first one is what the host did.
enum class HostActivity : std::uint8_t { Memory, Synchronization, Launch, Input, Runtime, Operator, Python, None };
inline constexpr std::size_t kHostActivities = 7;  // without None

[[nodiscard]] const char *word(HostActivity);  // "memory", "synchronization", ..., "none"

// By category and name of a Kineto-like slice: allocation and free calls; calls that wait for the device (a
// blocking copy among them); calls that put work on it; data loaders; other runtime and driver calls; operators;
// Python frames.
[[nodiscard]] HostActivity hostActivity(std::string_view category, std::string_view name);

class HostTimeline {
public:
    HostTimeline() = default;
    // `texts` must hold the name and category of each call.
    HostTimeline(std::vector<store::HostCall> calls, const std::map<StringId, std::string> &texts);

    [[nodiscard]] bool empty() const { return calls_.empty(); }
    [[nodiscard]] const IntervalSet &covered(HostActivity activity) const {
        return covered_[static_cast<std::size_t>(activity)];
    }
    // The innermost call of the activity that covers the time; else the next one that starts before `end`. None:
    // invalid.
    [[nodiscard]] SliceId callAt(HostActivity, TimeRange) const;
    // The range of a slice that was given as a call; none when it was not.
    [[nodiscard]] const TimeRange *rangeOf(SliceId) const;

private:
    std::vector<store::HostCall> calls_;                                  // by slice id
    std::array<std::vector<std::uint32_t>, kHostActivities> byActivity_;  // indices, by begin
    std::array<IntervalSet, kHostActivities> covered_;
};

}  // namespace wattproof::analysis
