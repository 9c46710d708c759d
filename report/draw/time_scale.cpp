#include "report/draw/time_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace wattproof::draw {
namespace {

struct Unit {
    Ns size;
    const char *symbol;
};

constexpr std::array<Unit, 4> kUnits{{{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "µs"}, {1, "ns"}}};
constexpr const char *kThinSpace = "\u2009";

const Unit &unitFor(Ns largest) {
    for (const Unit &unit : kUnits)
        if (largest >= unit.size)
            return unit;
    return kUnits.back();
}

// The digits of a fraction in groups of three: "234567" -> "234 567".
std::string grouped(const std::string &digits) {
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && i % 3 == 0)
            text += kThinSpace;
        text += digits[i];
    }
    return text;
}

std::string fraction(Ns rest, Ns unit, Ns step) {
    std::string digits;
    for (Ns place = unit / 10, known = unit; place >= 1 && known > step; place /= 10) {
        digits += static_cast<char>('0' + rest / place);
        rest %= place;
        known = place;
    }
    return digits.empty() ? digits : "." + grouped(digits);
}

// 1, 2 or 5 × 10ⁿ, at least `least`.
Ns roundStep(double least) {
    Ns decade = 1;
    while (decade * 10 <= static_cast<Ns>(least) && decade < Ns{100'000'000'000'000'000})
        decade *= 10;
    for (const Ns factor : {1, 2, 5})
        if (static_cast<double>(decade * factor) >= least)
            return decade * factor;
    return decade * 10;
}

}  // namespace

double TimeScale::x(Ns time) const {
    return left + static_cast<double>(time - visible.begin) * width /
                      static_cast<double>(std::max<Ns>(1, visible.length()));
}

Ns TimeScale::time(double x) const {
    if (width <= 0)
        return visible.begin;
    return visible.begin + static_cast<Ns>(std::floor((x - left) * static_cast<double>(visible.length()) / width));
}

double TimeScale::nsPerPixel() const {
    return static_cast<double>(visible.length()) / std::max(1.0, width);
}

Ns bucketFor(TimeRange visible, double pixels) {
    const double perPixel = static_cast<double>(visible.length()) / std::max(1.0, pixels);
    Ns bucket = 1;
    while (static_cast<double>(bucket) * 2 <= perPixel)
        bucket *= 2;
    return bucket;
}

TimeRange rangeToCache(TimeRange visible, Ns bucket) {
    const Ns length = visible.length();
    const auto floorTo = [bucket](Ns t) { return (t >= 0 ? t / bucket : -((-t + bucket - 1) / bucket)) * bucket; };
    return {floorTo(visible.begin - length), floorTo(visible.end + length + bucket - 1)};
}

Ns tickStep(TimeRange visible, double width, double minSpacing) {
    const double perPixel = static_cast<double>(std::max<Ns>(1, visible.length())) / std::max(1.0, width);
    return roundStep(std::max(1.0, perPixel * minSpacing));
}

std::string timeLabel(Ns time, Ns step, Ns largest) {
    const Unit &unit = unitFor(std::abs(largest));
    const Ns size = std::abs(time);
    const std::string sign = time < 0 ? "−" : "";
    return sign + std::to_string(size / unit.size) + fraction(size % unit.size, unit.size, std::max<Ns>(1, step)) +
           kThinSpace + unit.symbol;
}

std::vector<TimeTick> timeTicks(const TimeScale &scale, double minSpacing) {
    std::vector<TimeTick> ticks;
    const Ns step = tickStep(scale.visible, scale.width, minSpacing);
    const Ns largest = std::max(std::abs(scale.visible.begin), std::abs(scale.visible.end));
    Ns t = scale.visible.begin / step * step;
    if (t < scale.visible.begin)
        t += step;
    for (; t <= scale.visible.end; t += step)
        ticks.push_back({t, timeLabel(t, step, largest)});
    return ticks;
}

std::vector<double> valueTicks(double low, double high, int count) {
    std::vector<double> ticks;
    if (!(high > low) || count < 1)
        return ticks;
    const double raw = (high - low) / count;
    const double decade = std::pow(10.0, std::floor(std::log10(raw)));
    double step = decade * 10;
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (decade * factor >= raw * 0.999) {
            step = decade * factor;
            break;
        }
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
        ticks.push_back(i * step);
    return ticks;
}

}  // namespace wattproof::draw
