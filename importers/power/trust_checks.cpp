// What the readings of a whole log say against its sensors. Nothing is mended: what is said here stands in
// warnings.
#include "importers/power/channels.h"
#include "importers/table/quantity_text.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr double kSecondNs = 1e9;
constexpr std::int64_t kRepeatsFrom = 40;  // readings
constexpr double kLostPeriods = 5;
constexpr std::int64_t kLostFrom = 3;  // readings of a device, to know its period

std::string named(const Channel &channel, const std::vector<LogDevice> &devices) {
    return channel.name + " of " + devices[channel.device].row.name;
}

double seconds(Ns length) {
    return static_cast<double>(length) / kSecondNs;
}

// A rail may be off, or draw microwatts; a board's input is no such rail.
bool isRail(const Channel &channel, const LogDevice &device) {
    return device.row.kind == DeviceKind::Rail && channel.domain != "module";
}

// Watts that a whole device does not fall below while it logs.
double leastWatts(const Channel &channel, const LogDevice &device) {
    switch (device.row.kind) {
        case DeviceKind::Gpu:
            return 2;
        case DeviceKind::Cpu:
            return 0.5;
        case DeviceKind::Node:
        case DeviceKind::Outlet:
            return 0.1;
        default:
            return device.row.kind == DeviceKind::Rail && !isRail(channel, device) ? 0.1 : 0;
    }
}

void tallyZeros(const Channel &channel, const std::vector<LogDevice> &devices, Tally &tally) {
    const std::int64_t zeros = channel.watch.zeros();
    if (zeros == 0 || isRail(channel, devices[channel.device]))
        return;
    tally.add("zero_power", 0,
              named(channel, devices) + " reads 0 W in " + std::to_string(zeros) + " of " +
                  std::to_string(channel.count) +
                  " samples, which count as such: the device was off, or nothing was measured",
              zeros);
}

void tallyRepeats(const Channel &channel, const std::vector<LogDevice> &devices, Tally &tally) {
    const ReadingWatch &watch = channel.watch;
    if (channel.count < kRepeatsFrom || !watch.isAskedTooOften(channel.max - channel.min))
        return;
    const double span = seconds(channel.lastAt - channel.firstAt);
    tally.add("repeated_reading", 0,
              named(channel, devices) + " was read every " +
                  shortNumber(span / static_cast<double>(channel.count - 1)) + " s and changed every " +
                  shortNumber(span / static_cast<double>(watch.changes())) +
                  " s on average: equal neighbours are one reading of the sensor, not several",
              watch.equal());
}

void tallyFrozen(const Channel &channel, const std::vector<LogDevice> &devices, Tally &tally) {
    const ReadingWatch &watch = channel.watch;
    if (watch.frozen() > 0)
        tally.add(
            "frozen_sensor", 0,
            named(channel, devices) + " stood still at " + shortNumber(watch.frozenAt()) +
                " W for seconds after another sensor of its device had moved: joules of that time mean nothing",
            watch.frozen());
}

// A header may state another unit than the one that was written.
void tallyUnit(const Channel &channel, const std::vector<LogDevice> &devices, Tally &tally) {
    constexpr double kMilli = 1e-3, kMostWatts = 10'000;
    const double least = leastWatts(channel, devices[channel.device]);
    if (channel.count > 0 && channel.headerFactor == kMilli && channel.max < least && channel.max > 0)
        tally.add(
            "suspect_unit", 0,
            named(channel, devices) + " stays below " + shortNumber(channel.max) +
                " W by the milliwatts of its header: if these are watts, all of it is a thousand times too small");
    const bool mostlyLeftOut = channel.implausible > channel.count && channel.implausibleMin * kMilli > least;
    if (least > 0 && mostlyLeftOut && channel.implausibleMin * kMilli < kMostWatts)
        tally.add(
            "suspect_unit", 0,
            named(channel, devices) + " reads " + shortNumber(channel.implausibleMin) +
                " W and more, which no device draws: if these are milliwatts, map the column with that unit");
}

struct Span {
    Ns first = 0, last = 0;
    std::int64_t readings = 0;
};

}  // namespace

void tallyDoubts(const std::vector<Channel> &channels, const std::vector<LogDevice> &devices,
                 const std::vector<std::ptrdiff_t> &parents, const std::map<std::size_t, std::string> &frozen,
                 Tally &tally) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const Channel &channel = channels[i];
        if (channel.rule->quantity != "power")
            continue;
        const bool isWhole = parents[i] < 0;
        if (isWhole)
            tallyUnit(channel, devices, tally);
        if (isWhole)
            tallyZeros(channel, devices, tally);
        if (isWhole && !frozen.contains(i))
            tallyRepeats(channel, devices, tally);
        if (!frozen.contains(i))
            tallyFrozen(channel, devices, tally);
    }
}

// A device whose readings end while the log goes on was lost, or is no longer asked.
void tallyLost(const std::vector<Channel> &channels, const std::vector<LogDevice> &devices, Tally &tally) {
    std::vector<Span> spans(devices.size());
    Ns end = 0;
    bool any = false;
    for (const Channel &channel : channels) {
        if (channel.count == 0 || channel.rule->kind == CounterKind::Run)
            continue;
        Span &span = spans[channel.device];
        span.first = span.readings == 0 ? channel.firstAt : std::min(span.first, channel.firstAt);
        span.last = span.readings == 0 ? channel.lastAt : std::max(span.last, channel.lastAt);
        span.readings = std::max(span.readings, channel.count);
        end = any ? std::max(end, channel.lastAt) : channel.lastAt;
        any = true;
    }
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const Span &span = spans[i];
        if (span.readings < kLostFrom || devices[i].lost)
            continue;
        const double period = seconds(span.last - span.first) / static_cast<double>(span.readings - 1);
        if (seconds(end - span.last) > kLostPeriods * period)
            tally.add("device_lost", 0,
                      devices[i].row.name + " has no reading in the last " +
                          shortNumber(seconds(end - span.last)) +
                          " s of the log: it was lost, or no longer asked; its curves end there");
    }
}

}  // namespace wattproof::importers
