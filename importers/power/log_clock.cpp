#include "importers/power/log_clock.h"

#include "store/assumed_zone.h"

#include <algorithm>
#include <utility>

namespace wattproof::importers {
namespace {

constexpr Ns kClockSecond = 1'000'000'000;
constexpr Ns kClockDay = 86'400 * kClockSecond;
constexpr Ns kFoldSlack = 5 * kClockSecond;  // rows of several devices of one moment may differ by this much

}  // namespace

LogClock::LogClock(StampUnit unit, StampUnit numericUnit, TimeZone zone, bool zoneGiven)
    : unit_(unit), numericUnit_(numericUnit), zone_(std::move(zone)), zoneGiven_(zoneGiven) {}

// In the hour that occurs twice, the second one is meant when the first lies before what was read already.
Ns LogClock::inZone(Ns local) const {
    const TimeZone::Utc utc = zone_.toUtc(local);
    const bool past = utc.second && latest_ && utc.first < *latest_ - kFoldSlack;
    return past ? *utc.second : utc.first;
}

std::optional<Ns> LogClock::read(std::string_view cell) {
    std::optional<Stamp> stamp;
    if (unit_ == StampUnit::Auto && numericUnit_ != StampUnit::Auto)
        stamp = parseStamp(cell, numericUnit_);
    if (!stamp)
        stamp = parseStamp(cell, unit_);
    if (!stamp || (basis_ && *basis_ != stamp->basis))
        return std::nullopt;
    basis_ = stamp->basis;
    Ns ns = stamp->ns;
    if (*basis_ == StampBasis::Wall) {
        ns = inZone(ns);
    } else if (*basis_ == StampBasis::TimeOfDay) {
        if (latest_ && ns + midnight_ < *latest_ - kClockDay / 2)
            midnight_ += kClockDay;
        ns += midnight_;
    }
    latest_ = std::max(latest_.value_or(ns), ns);
    return ns;
}

std::optional<Ns> LogClock::relative(Ns ns) {
    if (basis_ && *basis_ != StampBasis::Relative)
        return std::nullopt;
    basis_ = StampBasis::Relative;
    return ns;
}

ClockBasis LogClock::basis() const {
    if (!basis_)
        return ClockBasis::None;
    switch (*basis_) {
        case StampBasis::Epoch:
            return ClockBasis::Epoch;
        case StampBasis::Wall:
            return ClockBasis::WallAssumedZone;
        case StampBasis::TimeOfDay:
            return ClockBasis::TimeOfDay;
        case StampBasis::Relative:
            break;
    }
    return ClockBasis::Relative;
}

std::string LogClock::zoneText() const {
    if (basis_ != StampBasis::Wall)
        return {};
    return zone_.name() + (zoneGiven_ ? " (as given)" : std::string(kZoneAssumed));
}

std::optional<StepGuard::Placed> StepGuard::place(Track &track, Ns stated) {
    Placed placed;
    if (__builtin_add_overflow(stated, shift_, &placed.ts))
        return std::nullopt;
    if (!track.last) {
        track.last = placed.ts;
        return placed;
    }
    Ns ahead = 0;
    if (__builtin_sub_overflow(placed.ts, *track.last, &ahead))
        return std::nullopt;
    if (ahead > 0) {
        placed.ahead = ahead;
        track.period = ahead;
        track.last = placed.ts;
        return placed;
    }
    if (ahead >= -track.period) {
        placed.order = ahead == 0 ? Order::Same : Order::Disordered;
        return placed;
    }
    Ns shift = 0;
    if (__builtin_sub_overflow(track.period, ahead, &shift) || __builtin_add_overflow(shift_, shift, &shift) ||
        __builtin_add_overflow(*track.last, track.period, &placed.ts))
        return std::nullopt;
    placed.order = Order::SteppedBack;
    placed.step = -ahead;
    shift_ = shift;
    track.last = placed.ts;
    return placed;
}

}  // namespace wattproof::importers
