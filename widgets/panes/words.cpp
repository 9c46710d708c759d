#include "widgets/panes/words.h"

#include "report/report.h"

#include <cmath>
#include <cstdlib>

#include <QCoreApplication>
#include <QDateTime>
#include <QRegularExpression>
#include <QTimeZone>

namespace wattproof::widgets {
namespace {

constexpr Ns kSecond = 1'000'000'000;
constexpr QChar kThinSpace(0x2009);

QString say(const char *text) {
    return QCoreApplication::translate("words", text);
}

// Nine digits in groups of three, trailing empty groups left away.
QString fractionText(Ns ns) {
    QString digits = QStringLiteral("%1").arg(ns, 9, 10, QLatin1Char('0'));
    QString text = digits.left(3);
    for (int at = 3; at < 9; at += 3)
        if (digits.mid(at).toLongLong() != 0)
            text += kThinSpace + digits.mid(at, 3);
    return text;
}

std::optional<Ns> unitNs(const QString &unit) {
    if (unit.isEmpty() || unit == QLatin1String("s"))
        return kSecond;
    if (unit == QLatin1String("ms"))
        return 1'000'000;
    if (unit == QLatin1String("us") || unit == QStringLiteral("µs"))
        return 1'000;
    if (unit == QLatin1String("ns"))
        return 1;
    if (unit == QLatin1String("min"))
        return 60 * kSecond;
    if (unit == QLatin1String("h"))
        return 3600 * kSecond;
    return std::nullopt;
}

// whole.fraction units, without a detour through double: an offset between two clocks can be decades long and
// still mean its last nanosecond.
std::optional<Ns> amountNs(const QString &whole, const QString &fraction, Ns unit) {
    constexpr Ns kLongest = 3'200'000'000'000'000'000;  // a century
    const Ns count = whole.toLongLong();
    if (whole.size() > 18 || count > kLongest / unit)
        return std::nullopt;
    Ns result = count * unit;
    Ns scale = unit;
    for (const QChar digit : fraction) {
        const Ns next = scale / 10;
        result += digit.digitValue() * next + (digit.digitValue() * (scale % 10) + 5) / 10;
        scale = next;
    }
    return result;
}

std::optional<Ns> parseClock(const QString &text) {
    static const QRegularExpression clock(QStringLiteral("^(\\d{1,6}):([0-5]\\d):([0-5]\\d)(?:\\.(\\d{1,9}))?$"));
    const auto match = clock.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const Ns minutes = match.captured(1).toLongLong() * 60 + match.captured(2).toLongLong();
    const auto seconds = amountNs(match.captured(3), match.captured(4), kSecond);
    return minutes * 60 * kSecond + *seconds;
}

std::optional<Ns> parseAmount(const QString &text) {
    static const QRegularExpression amount(QStringLiteral("^(\\d+)(?:[.,](\\d+))?\\s*([a-zµ]*)$"));
    const auto match = amount.match(text);
    const auto unit = unitNs(match.captured(3));
    if (!match.hasMatch() || !unit)
        return std::nullopt;
    return amountNs(match.captured(1), match.captured(2), *unit);
}

}  // namespace

QString qs(const std::string &text) {
    return QString::fromStdString(text);
}

QString classWords(const std::string &bottleneckClass) {
    if (bottleneckClass == "sla_tail")
        return say("SLA tail");
    if (bottleneckClass == "dvfs_policy")
        return say("DVFS policy");
    return qs(bottleneckClass).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString timeText(Ns workspace) {
    const Ns size = std::llabs(workspace);
    return QStringLiteral("%1%2.%3%4s")
        .arg(workspace < 0 ? QStringLiteral("−") : QString())
        .arg(size / kSecond)
        .arg(fractionText(size % kSecond))
        .arg(kThinSpace);
}

QString utcText(Ns epochNs) {
    const Ns seconds = epochNs >= 0 ? epochNs / kSecond : -((-epochNs + kSecond - 1) / kSecond);
    const auto micros = (epochNs - seconds * kSecond) / 1000;
    const QDateTime time = QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc());
    return QStringLiteral("%1.%2 UTC")
        .arg(time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")))
        .arg(micros, 6, 10, QLatin1Char('0'));
}

QString durationText(Ns ns) {
    return qs(report::duration(ns));
}

QString rangeText(TimeRange range) {
    return QStringLiteral("%1 – %2 (%3)")
        .arg(timeText(range.begin), timeText(range.end), durationText(range.length()));
}

QString recoverableText(const analysis::Finding &finding) {
    return qs(report::recoverableText(finding));
}

QString gainText(const std::optional<analysis::Interval> &gain) {
    if (!gain)
        return {};
    const auto share = [](double v) {
        return (v >= 0 ? QStringLiteral("+") : QString()) + qs(report::percent(v));
    };
    return QStringLiteral("%1…%2").arg(share(gain->low), share(gain->high));
}

QString exactText(double value) {
    return QString::number(value, 'g', 17);
}

std::optional<Ns> parseOffset(const QString &text) {
    // Before simplified(), which would turn the thin spaces between groups of digits into plain ones.
    QString plain = QString(text).remove(kThinSpace).replace(QStringLiteral("−"), QStringLiteral("-")).simplified();
    const bool negative = plain.startsWith(QLatin1Char('-'));
    if (negative || plain.startsWith(QLatin1Char('+')))
        plain = plain.mid(1).trimmed();
    auto size = parseClock(plain);
    if (!size)
        size = parseAmount(plain);
    return size && negative ? std::optional(-*size) : size;
}

QString offsetText(Ns offset) {
    return (offset >= 0 ? QStringLiteral("+") : QString()) + timeText(offset);
}

}  // namespace wattproof::widgets
