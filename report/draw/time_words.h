// Which clock the times on an axis are told in: the workspace's own, the wall's, or one that starts at a mark.
#pragma once

#include "report/draw/time_scale.h"

#include <string>
#include <vector>

namespace wattproof::draw {

enum class TimeShown { Trace, Utc, Local, Mark };

struct TimeWords {
    TimeShown shown = TimeShown::Trace;
    Ns zero = 0;  // Utc, Local: epoch ns of workspace time 0. Mark: the workspace time that counts as 0.

    [[nodiscard]] bool isWall() const { return shown == TimeShown::Utc || shown == TimeShown::Local; }
    // The number behind the words: of ns since the origin, the epoch or the mark.
    [[nodiscard]] Ns exact(Ns time) const;
    // As many decimals as the step needs, in the unit that suits `largest` (both of the workspace's clock).
    [[nodiscard]] std::string label(Ns time, Ns step, Ns largest) const;
    // With the date where there is one, to the nanosecond.
    [[nodiscard]] std::string full(Ns time) const;
};

// Ticks that are round on the shown clock, at least `minSpacing` pixels apart.
[[nodiscard]] std::vector<TimeTick> timeTicks(const TimeScale &, const TimeWords &, double minSpacing = 90);

}  // namespace wattproof::draw
