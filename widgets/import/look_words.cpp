#include "widgets/import/look_words.h"

#include "report/report.h"
#include "widgets/panes/words.h"

#include <algorithm>

#include <QCoreApplication>
#include <QLocale>

namespace wattproof::widgets {
namespace {

constexpr auto kNothing = "–";
constexpr std::size_t kListed = 4;
constexpr std::size_t kListedChannels = 12;
constexpr double kWell = 0.999;

QString words(const char *text) {
    return QCoreApplication::translate("Look", text);
}

bool isGuess(const WarningRow &warning) {
    return warning.kind == "guessed_columns" || warning.kind == "assumed_period";
}

QString listed(const std::vector<std::string> &names, std::size_t most) {
    QStringList list;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        list << qs(names[i]);
    QString text = list.join(QStringLiteral(", "));
    if (names.size() > most)
        text += words(" and %1 more").arg(names.size() - most);
    return text;
}

QString count(std::int64_t n, const QString &what) {
    QString number = QLocale(QLocale::English).toString(static_cast<qlonglong>(n));
    return number.replace(QLatin1Char(','), QChar(0x2009)) + QLatin1Char(' ') + what;
}

QString rangeOf(const ChannelLook &channel) {
    const QString least = qs(report::quantity(channel.least, channel.unit)), most = qs(report::quantity(channel.most, channel.unit));
    return least == most ? least : words("%1 to %2").arg(least, most);
}

}  // namespace

bool needsZone(const FileLook &look) {
    return look.readable() && look.clock == ClockBasis::WallAssumedZone;
}

bool isOpenQuestion(const FileLook &look) {
    if (!look.readable())
        return look.isTable;
    if (look.kind == SourceKind::Trace)
        return false;
    return look.clock == ClockBasis::WallAssumedZone || look.clock == ClockBasis::TimeOfDay ||
           std::any_of(look.warnings.begin(), look.warnings.end(), isGuess);
}

QString formatText(const FileLook &look) {
    if (!look.readable())
        return look.isTable ? words("unknown table") : words("not readable");
    return qs(look.format);
}

QString clockText(const FileLook &look) {
    if (!look.readable() || !look.detailed)
        return QString::fromUtf8(kNothing);
    switch (look.clock) {
        case ClockBasis::Epoch:
            return words("wall time, zone known");
        case ClockBasis::WallAssumedZone:
            return look.zoneGiven ? words("wall time, %1").arg(qs(look.zone).section(QStringLiteral(" ("), 0, 0))
                                  : words("zone unknown, read as UTC");
        case ClockBasis::TimeOfDay:
            return words("time of day, no date");
        case ClockBasis::Relative:
            return words("from its own start");
        case ClockBasis::None:
            break;
    }
    return words("no times");
}

QString clockHint(const FileLook &look) {
    if (!look.readable() || !look.detailed)
        return {};
    switch (look.clock) {
        case ClockBasis::Epoch:
            return words("The file itself says where its times stand.");
        case ClockBasis::WallAssumedZone:
            return look.zoneGiven ? words("Its wall times are read in this zone.")
                                  : words("The file writes wall time without a zone. Choose the one of the machine that wrote it; "
                                          "if it is not known, alignment looks for whole hours later.");
        case ClockBasis::TimeOfDay:
            return words("The file has clock times without a date: alignment places it by its load, or you do by hand.");
        case ClockBasis::Relative:
            return words("The file counts from its own start: alignment places it by its load, or you do by hand.");
        case ClockBasis::None:
            break;
    }
    return words("The file has no times: it is kept as figures beside the run.");
}

QString momentText(const FileLook &look, Ns stated, int decimals) {
    if (look.clock != ClockBasis::Epoch && look.clock != ClockBasis::WallAssumedZone)
        return decimals > 0 ? timeText(stated) : durationText(stated);
    // "2025-07-22 05:10:00.250000 UTC": as long as is wanted, and without a zone where none is known.
    constexpr int kWholeSeconds = 19;
    const QString text = utcText(stated);
    const bool sure = look.clock == ClockBasis::Epoch || look.zoneGiven;
    return text.left(kWholeSeconds + (decimals > 0 ? decimals + 1 : 0)) + (sure ? QStringLiteral(" UTC") : QString());
}

QString beginText(const FileLook &look) {
    return look.readable() && look.span ? momentText(look, look.span->begin, 0) : QString::fromUtf8(kNothing);
}

QString lengthText(const FileLook &look) {
    if (!look.readable() || !look.span)
        return QString::fromUtf8(kNothing);
    const QString length = durationText(look.span->length());
    return look.share < 1 ? words("about %1").arg(length) : length;
}

QString devicesText(const FileLook &look) {
    return look.devices.empty() ? QString::fromUtf8(kNothing) : listed(look.devices, kListed);
}

QString holdsText(const FileLook &look) {
    QStringList parts;
    if (look.slices > 0)
        parts << count(look.slices, words("slices"));
    if (look.samples > 0)
        parts << count(look.samples, words("samples"));
    if (look.requests > 0)
        parts << count(look.requests, words("requests"));
    if (look.figures > 0)
        parts << count(look.figures, words("figures of quality"));
    if (parts.isEmpty())
        return QString::fromUtf8(kNothing);
    return (look.share < 1 ? words("about %1") : QStringLiteral("%1")).arg(parts.join(QStringLiteral(", ")));
}

QString coverageText(const FileLook &look) {
    if (!look.readable() || !look.coverage)
        return QString::fromUtf8(kNothing);
    return qs(report::percent(*look.coverage));
}

QString noteText(const FileLook &look) {
    if (!look.readable())
        return look.isTable ? words("say what its columns mean") : words("cannot be read: left out");
    if (!look.detailed)
        return words("its content shows when it is imported");
    if (needsZone(look) && !look.zoneGiven)
        return words("zone unknown");
    if (look.clock == ClockBasis::TimeOfDay)
        return words("date unknown");
    const auto warnings = static_cast<int>(look.warnings.size());
    if (warnings > 0)
        return warnings == 1 ? words("1 warning") : words("%1 warnings").arg(warnings);
    return words("clear");
}

QStringList storyOf(const FileLook &look) {
    QStringList lines;
    if (!look.readable()) {
        if (look.isTable)
            lines << words("This is a table that no known tool writes: \"Map columns…\" says what its columns mean. Or choose its format.");
        lines << qs(look.error);
        return lines;
    }
    if (look.share < 1)
        lines << words("The first %1 were looked at; counts and the end are estimates from them.")
                     .arg(qs(report::percent(look.share)));
    if (!look.devices.empty())
        lines << words("Devices: %1").arg(listed(look.devices, kListedChannels));
    QStringList channels;
    for (std::size_t i = 0; i < look.channels.size() && i < kListedChannels; ++i) {
        const ChannelLook &channel = look.channels[i];
        channels << QStringLiteral("%1 %2").arg(qs(channel.name), rangeOf(channel));
    }
    if (look.channels.size() > kListedChannels)
        channels << words("%1 more").arg(look.channels.size() - kListedChannels);
    if (!channels.isEmpty())
        lines << words("Channels: %1").arg(channels.join(QStringLiteral(" · ")));
    if (holdsText(look) != QString::fromUtf8(kNothing))
        lines << words("Holds %1").arg(holdsText(look));
    if (look.coverage && *look.coverage < kWell)
        lines << words("Samples cover %1 of its time; the longest gap is %2.").arg(coverageText(look), durationText(look.longestGap));
    for (const WarningRow &warning : look.warnings)
        lines << words("Warning: %1").arg(qs(warning.message) + (warning.count > 1 ? words(" (%1 times)").arg(warning.count) : QString()));
    return lines;
}

QString kindWords(CounterKind kind) {
    switch (kind) {
        case CounterKind::Gauge:
            return words("reading of the moment");
        case CounterKind::Mean:
            return words("mean since the row before");
        case CounterKind::Delta:
            return words("amount since the row before");
        case CounterKind::Counter:
            return words("meter that only rises");
        case CounterKind::Flags:
            return words("mask of reasons");
        case CounterKind::Run:
            break;
    }
    return words("total of a run");
}

}  // namespace wattproof::widgets
