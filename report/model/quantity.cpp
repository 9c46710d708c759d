// How numbers are said: see docs/methods.md, "Numbers in words".
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "report/report.h"

namespace wattproof::report {
namespace {

constexpr const char *kThinSpace = "\u2009";
constexpr const char *kUnknown = "–";

struct Scale {
    double factor = 1;
    const char *prefix = "";
};

bool takesPrefix(std::string_view unit) {
    static constexpr std::array<std::string_view, 11> units{"J",    "W",   "s",      "Hz",      "B",  "B/s",
                                                            "FLOP", "V",   "A",      "FLOP/s",  "Wh"};
    for (const std::string_view u : units)
        if (u == unit)
            return true;
    return false;
}

// Three significant digits without exponent; `places` is what they need at this magnitude.
std::string threeDigits(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude == 0)
        return "0";
    int places = 2;
    if (magnitude >= 99.95)
        places = 0;
    else if (magnitude >= 9.995)
        places = 1;
    else if (magnitude > 0 && magnitude < 0.995)
        places = std::min(12, 2 - static_cast<int>(std::floor(std::log10(magnitude))));
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", places, value);
    return text.data();
}

Scale scaleFor(double value, std::string_view unit) {
    if (!takesPrefix(unit) || value == 0 || !std::isfinite(value))
        return {};
    static constexpr std::array<Scale, 9> scales{{{1e15, "P"},
                                                  {1e12, "T"},
                                                  {1e9, "G"},
                                                  {1e6, "M"},
                                                  {1e3, "k"},
                                                  {1, ""},
                                                  {1e-3, "m"},
                                                  {1e-6, "µ"},
                                                  {1e-9, "n"}}};
    // 999.6 rounds to 1.00 k, so the border lies where three digits would become four.
    for (const Scale &scale : scales)
        if (std::fabs(value) >= scale.factor * 0.9995)
            return scale;
    return scales.back();
}

std::string unitText(std::string_view prefix, std::string_view unit) {
    if (unit.empty() || unit == "1")
        return {};
    if (unit == "degC")
        unit = "°C";
    return std::string(kThinSpace) + std::string(prefix) + std::string(unit);
}

}  // namespace

std::string quantity(double value, std::string_view unit) {
    if (!std::isfinite(value))
        return kUnknown;
    const Scale scale = scaleFor(value, unit);
    return threeDigits(value / scale.factor) + unitText(scale.prefix, unit);
}

std::string quantity(const std::optional<double> &value, std::string_view unit) {
    return value ? quantity(*value, unit) : kUnknown;
}

std::string duration(Ns ns) {
    const double seconds = static_cast<double>(ns) * 1e-9;
    if (std::fabs(seconds) < 60)
        return quantity(seconds, "s");
    const auto whole = static_cast<long long>(std::llround(std::fabs(seconds)));
    const char *sign = ns < 0 ? "−" : "";
    std::array<char, 64> text{};
    if (whole < 3600)
        std::snprintf(text.data(), text.size(), "%s%lld min %02lld s", sign, whole / 60, whole % 60);
    else
        std::snprintf(text.data(), text.size(), "%s%lld h %02lld min", sign, whole / 3600, whole % 3600 / 60);
    return text.data();
}

std::string intervalText(double value, const analysis::Interval &interval, std::string_view unit) {
    const Scale scale = scaleFor(std::max(std::fabs(value), std::fabs(interval.high)), unit);
    // A dash beside a minus cannot be read.
    const char *between = interval.low < 0 || interval.high < 0 ? " to " : "–";
    return threeDigits(value / scale.factor) + unitText(scale.prefix, unit) + " [" +
           threeDigits(interval.low / scale.factor) + between + threeDigits(interval.high / scale.factor) + "]";
}

std::string recoverableText(const analysis::Finding &finding) {
    if (finding.recoverableJ) {
        const analysis::Interval &saved = *finding.recoverableJ;
        const double middle = (saved.low + saved.high) / 2;
        return middle < 0 ? "costs " + intervalText(-middle, {-saved.high, -saved.low}, "J")
                          : intervalText(middle, saved, "J");
    }
    return finding.recoverableNs ? duration(static_cast<Ns>(std::llround(*finding.recoverableNs))) : kUnknown;
}

std::string percent(double fraction) {
    if (!std::isfinite(fraction))
        return kUnknown;
    std::array<char, 32> text{};
    const double value = fraction * 100;
    std::snprintf(text.data(), text.size(), std::fabs(value) >= 99.95 || value == 0 ? "%.0f" : "%.1f", value);
    return std::string(text.data()) + kThinSpace + "%";
}

}  // namespace wattproof::report
