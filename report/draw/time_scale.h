// Time to pixel and back, resolution and ticks: the arithmetic of every time axis, apart from painting.
#pragma once

#include "store/time.h"

#include <string>
#include <vector>

namespace wattproof::draw {

// x in device-independent pixels; `left` is where visible.begin stands.
struct TimeScale {
    TimeRange visible{0, 1};
    double left = 0;
    double width = 1;

    [[nodiscard]] double x(Ns time) const;
    [[nodiscard]] Ns time(double x) const;
    [[nodiscard]] double right() const { return left + width; }
    [[nodiscard]] double nsPerPixel() const;
    [[nodiscard]] bool shows(TimeRange range) const {
        return range.begin < visible.end && visible.begin <= range.end;
    }
};

// The largest power of two that is at most one pixel (at least 1 ns): the resolution to ask the store for.
[[nodiscard]] Ns bucketFor(TimeRange visible, double pixels);

// `visible` widened to three times its length and cut to whole buckets: what to keep in the cache.
[[nodiscard]] TimeRange rangeToCache(TimeRange visible, Ns bucket);

struct TimeTick {
    Ns time = 0;
    std::string label;  // "1.25 s", exact: as many decimals as the step needs
};

// Ticks at multiples of 1, 2 or 5 × 10ⁿ ns, at least `minSpacing` pixels apart.
[[nodiscard]] std::vector<TimeTick> timeTicks(const TimeScale &, double minSpacing = 90);
[[nodiscard]] Ns tickStep(TimeRange visible, double width, double minSpacing);
// A time with the decimals that `step` needs, in the unit that suits `largest`: "1.234 567 s".
[[nodiscard]] std::string timeLabel(Ns time, Ns step, Ns largest);

// Round values (1, 2, 2.5 or 5 × 10ⁿ apart) inside [low, high], about `count` of them.
[[nodiscard]] std::vector<double> valueTicks(double low, double high, int count);

}  // namespace wattproof::draw
