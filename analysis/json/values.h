// The small conversions between result fields and JSON that both directions share: null for what is unknown,
// ranges as [begin, end], intervals as [low, high].
#pragma once

#include "analysis/result.h"

#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

namespace wattproof::analysis {

inline nlohmann::json number(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

template <class T>
nlohmann::json orNull(const std::optional<T> &value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

inline nlohmann::json orNull(const std::optional<double> &value) {
    return value ? number(*value) : nlohmann::json();
}

inline nlohmann::json pair(const Interval &interval) {
    return nlohmann::json::array({number(interval.low), number(interval.high)});
}

inline nlohmann::json pair(const TimeRange &range) {
    return nlohmann::json::array({range.begin, range.end});
}

inline nlohmann::json orNull(const std::optional<Interval> &interval) {
    return interval ? pair(*interval) : nlohmann::json();
}

inline nlohmann::json orNull(const std::optional<TimeRange> &range) {
    return range ? pair(*range) : nlohmann::json();
}

// Readers: they throw nlohmann's exceptions on a wrong type, which resultFromJson turns into an error.
template <class T>
std::optional<T> maybe(const nlohmann::json &value) {
    return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

// Null stands for what was not finite: it reads back as 0.
inline double numberOr0(const nlohmann::json &value) {
    return value.is_null() ? 0.0 : value.get<double>();
}

inline Interval interval(const nlohmann::json &value) {
    return {numberOr0(value.at(0)), numberOr0(value.at(1))};
}

inline TimeRange range(const nlohmann::json &value) {
    return {value.at(0).get<Ns>(), value.at(1).get<Ns>()};
}

inline std::optional<Interval> maybeInterval(const nlohmann::json &value) {
    return value.is_null() ? std::nullopt : std::optional<Interval>(interval(value));
}

inline std::optional<TimeRange> maybeRange(const nlohmann::json &value) {
    return value.is_null() ? std::nullopt : std::optional<TimeRange>(range(value));
}

}  // namespace wattproof::analysis
