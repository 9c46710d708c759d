#include "report/draw/time_words.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <QDateTime>
#include <QTimeZone>

namespace wattproof::draw {
namespace {

constexpr Ns kSecond = 1'000'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;

Ns floorTo(Ns value, Ns step) {
    const Ns rest = value % step;
    return value - (rest < 0 ? rest + step : rest);
}

// How far the clock on the wall is ahead of UTC at an epoch time.
Ns aheadOfUtc(TimeShown shown, Ns epoch) {
    if (shown != TimeShown::Local)
        return 0;
    const QDateTime time = QDateTime::fromSecsSinceEpoch(floorTo(epoch, kSecond) / kSecond, QTimeZone::utc());
    return QTimeZone::systemTimeZone().offsetFromUtc(time) * kSecond;
}

// The least step of a clock that is at least `step`: below a second they are decimal, above in sixties.
Ns wallStep(Ns step) {
    constexpr std::array<Ns, 20> kSteps{kSecond,      2 * kSecond,  5 * kSecond,  10 * kSecond, 15 * kSecond,
                                        30 * kSecond, kMinute,      2 * kMinute,  5 * kMinute,  10 * kMinute,
                                        15 * kMinute, 30 * kMinute, kHour,        2 * kHour,    3 * kHour,
                                        6 * kHour,    12 * kHour,   kDay,         2 * kDay,     7 * kDay};
    if (step < kSecond)
        return step;
    const auto found = std::lower_bound(kSteps.begin(), kSteps.end(), step);
    return found == kSteps.end() ? (step + kDay - 1) / kDay * kDay : *found;
}

QDateTime secondsOf(Ns wall) {
    return QDateTime::fromSecsSinceEpoch(floorTo(wall, kSecond) / kSecond, QTimeZone::utc());
}

std::string decimals(Ns wall, Ns step) {
    const QString digits = QStringLiteral("%1").arg(wall - floorTo(wall, kSecond), 9, 10, QLatin1Char('0'));
    std::string text;
    Ns known = kSecond;
    for (int i = 0; i < 9 && known > step; ++i, known /= 10) {
        text += i == 0 ? "." : i % 3 == 0 ? "\u2009" : "";
        text += digits[i].toLatin1();
    }
    return text;
}

// Days stand as dates; a step of minutes needs no seconds.
std::string wallLabel(Ns wall, Ns step) {
    const QDateTime time = secondsOf(wall);
    if (step >= kHour && floorTo(wall, kDay) == wall)
        return time.toString(QStringLiteral("MM-dd")).toStdString();
    const char *format = step >= kMinute && floorTo(wall, kMinute) == wall ? "HH:mm" : "HH:mm:ss";
    return time.toString(QLatin1String(format)).toStdString() + decimals(wall, step);
}

}  // namespace

Ns TimeWords::exact(Ns time) const {
    return shown == TimeShown::Trace ? time : isWall() ? time + zero : time - zero;
}

std::string TimeWords::label(Ns time, Ns step, Ns largest) const {
    if (!isWall()) {
        const Ns shift = shown == TimeShown::Mark ? zero : 0;
        return timeLabel(time - shift, step, largest - shift);
    }
    const Ns epoch = time + zero;
    return wallLabel(epoch + aheadOfUtc(shown, epoch), step);
}

std::string TimeWords::full(Ns time) const {
    if (!isWall()) {
        const Ns value = exact(time);
        return (shown == TimeShown::Mark && value >= 0 ? "+" : "") + timeLabel(value, 1, kSecond);
    }
    const Ns epoch = time + zero, wall = epoch + aheadOfUtc(shown, epoch);
    return secondsOf(wall).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")).toStdString() + decimals(wall, 1);
}

std::vector<TimeTick> timeTicks(const TimeScale &scale, const TimeWords &words, double minSpacing) {
    if (words.shown == TimeShown::Trace)
        return timeTicks(scale, minSpacing);
    const Ns epoch = scale.visible.begin + words.zero;
    // What the shown clock is ahead of the workspace's.
    const Ns ahead = words.isWall() ? words.zero + aheadOfUtc(words.shown, epoch) : -words.zero;
    const Ns decimal = tickStep(scale.visible, scale.width, minSpacing);
    const Ns step = words.isWall() ? wallStep(decimal) : decimal;
    const Ns largest = std::abs(scale.visible.begin + ahead) > std::abs(scale.visible.end + ahead) ? scale.visible.begin
                                                                                                     : scale.visible.end;
    std::vector<TimeTick> ticks;
    for (Ns t = floorTo(scale.visible.begin + ahead, step) - ahead; t <= scale.visible.end; t += step)
        if (t >= scale.visible.begin)
            ticks.push_back({t, words.label(t, step, largest)});
    return ticks;
}

}  // namespace wattproof::draw
