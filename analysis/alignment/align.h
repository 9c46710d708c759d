// Puts a power log on the trace's clock (docs/methods.md, Alignment).
#pragma once

#include "analysis/alignment/clock_fit.h"
#include "analysis/energy/power_series.h"
#include "analysis/intervals.h"
#include "store/edits.h"
#include "store/task.h"
#include "store/workspace.h"

#include <optional>
#include <string>
#include <vector>

namespace wattproof::analysis {

struct AlignmentScore {
    Ns offset = 0;
    double correlation = 0;  // of the device's busy share, seen through the sensor, with power
};

struct AlignmentProposal {
    std::optional<store::Alignment> alignment;  // none: refused
    std::string refusal;                        // why, and what would help
    TimeRange searched;                         // offsets searched
    std::optional<AlignmentScore> peak, secondPeak;
    int edges = 0;                      // distinct load edges that carry the answer
    std::optional<std::string> zone;  // guessed, of a log that names none: "UTC+01:00" (alignAutomatically)
    std::optional<ClockFit> clock;  // drift, where stretches of the run fit by themselves (alignAutomatically)
    std::vector<AlignmentScore> curve;  // for the alignment pane, at most 2,000 points
};

// Score of one offset: for live feedback while the user drags. Pure; fast enough for each mouse move (< 5 ms on
// 10^5 samples).
[[nodiscard]] double alignmentScore(const IntervalSet &busy, const PowerSeries &power, Ns offset);

// Correlates busy with power over all offsets that overlap by half of the shorter one.
[[nodiscard]] AlignmentProposal correlate(const IntervalSet &busy, const PowerSeries &power, const Task &);

// For two sources that both state wall time: offset 0, or the whole quarter of an hour (at most ±26 h) by which
// the log's zone was stated wrongly, when only that makes them overlap and agree. `zoneAssumed`: the log names no
// zone and was read as UTC, so that the shift is a guess of its zone.
[[nodiscard]] AlignmentProposal alignByClock(const IntervalSet &busy, const PowerSeries &power, bool zoneAssumed);

// The default for every power source that is not aligned by the user yet: wall clock where both have it, else by
// correlation (and whole-hour zone errors recognised as such). Stores what it finds as edits with method and note;
// the proposals of refused ones are returned too.
struct SourceAlignment {
    SourceId source;
    AlignmentProposal proposal;
};
[[nodiscard]] Expected<std::vector<SourceAlignment>> alignAutomatically(
    store::Workspace &, const Task &, std::optional<SourceId> only = std::nullopt);

}  // namespace wattproof::analysis
