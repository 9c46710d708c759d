#include "importers/power/channels.h"
#include "importers/table/quantity_text.h"

#include <algorithm>
#include <utility>

namespace wattproof::importers {
namespace {

constexpr double kNanoseconds = 1e9;
constexpr std::int64_t kFrozenFrom = 20;  // samples: fewer equal readings happen to a quiet device
constexpr double kPeriodsBridged = 5;
constexpr double kSteppedShare = 0.05;  // of the median period: an interval this short is no sampling
constexpr double kSteppedPower = 20;    // times the mean power
constexpr double kSteppedGain = 0.5;    // times the mean energy of an interval

bool measuresEnergy(const Channel &channel) {
    return channel.count > 0 && (channel.rule->quantity == "power" || channel.rule->quantity == "energy");
}

std::string label(const Channel &channel, const std::vector<LogDevice> &devices) {
    return channel.name + " of " + devices[channel.device].row.name;
}

std::string trailingDigits(const std::string &text) {
    const std::size_t end = text.find_last_not_of("0123456789");
    return end == std::string::npos ? text : text.substr(end + 1);
}

// The channels that measure the domain an inner one lies in: of its own device before others, of its quantity before
// the other one (a package that has a counter still contains cores that only have watts); several are told by number.
std::ptrdiff_t containerOf(std::size_t index, const std::vector<Channel> &channels,
                           const std::vector<LogDevice> &devices, const std::string &inside) {
    const Channel &inner = channels[index];
    std::vector<std::size_t> found;
    const auto keep = [&found](auto fits) {
        if (std::any_of(found.begin(), found.end(), fits))
            std::erase_if(found, [&](std::size_t i) { return !fits(i); });
    };
    for (std::size_t i = 0; i < channels.size(); ++i)
        if (i != index && measuresEnergy(channels[i]) && channels[i].domain == inside &&
            channels[i].part == inner.part &&
            devices[channels[i].device].row.host == devices[inner.device].row.host)
            found.push_back(i);
    keep([&](std::size_t i) { return channels[i].device == inner.device; });
    keep([&](std::size_t i) { return channels[i].rule->quantity == inner.rule->quantity; });
    const auto oneDevice = [&] {
        return std::all_of(found.begin(), found.end(),
                           [&](std::size_t i) { return channels[i].device == channels[found.front()].device; });
    };
    const std::string number = trailingDigits(devices[inner.device].row.nativeId);
    if (!found.empty() && !oneDevice())
        std::erase_if(found, [&](std::size_t i) {
            return number.empty() || trailingDigits(devices[channels[i].device].row.nativeId) != number;
        });
    if (found.empty() || !oneDevice())
        return -1;
    return static_cast<std::ptrdiff_t>(*std::min_element(
        found.begin(), found.end(), [&](std::size_t a, std::size_t b) { return channels[a].rule < channels[b].rule; }));
}

// Another channel of the device that measures the same and stands before it in the descriptor, or in the table.
std::ptrdiff_t preferredOver(std::size_t index, const std::vector<Channel> &channels) {
    const Channel &channel = channels[index];
    const auto rank = [&](std::size_t i) { return std::pair(channels[i].rule, i); };
    std::ptrdiff_t best = -1;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const Channel &other = channels[i];
        const bool same = i != index && measuresEnergy(other) && other.device == channel.device &&
                          other.part == channel.part && other.domain == channel.domain &&
                          other.rule->quantity == channel.rule->quantity;
        if (same && rank(i) < rank(index) && (best < 0 || rank(i) < rank(static_cast<std::size_t>(best))))
            best = static_cast<std::ptrdiff_t>(i);
    }
    return best;
}

Ns medianDistance(const std::vector<Sample> &samples) {
    std::vector<Ns> distances;
    for (std::size_t i = 1; i < samples.size(); ++i)
        if (samples[i].ts > samples[i - 1].ts)
            distances.push_back(samples[i].ts - samples[i - 1].ts);
    if (distances.empty())
        return 0;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    if (distances.size() % 2 == 1)
        return *middle;
    const Ns below = *std::max_element(distances.begin(), middle);
    return below + (*middle - below) / 2;
}

bool moves(const Channel &channel) {
    const std::string &quantity = channel.rule->quantity;
    return channel.count > 0 && channel.min != channel.max &&
           (quantity == "temperature" || quantity == "clock" || quantity == "utilisation");
}

std::string rangeText(const Channel &channel) {
    return shortNumber(channel.min) + " and " + shortNumber(channel.max) + " " + channel.unit;
}

// A user's domains.json may put two domains inside each other: the link that closes a circle is dropped.
void breakCircles(std::vector<std::ptrdiff_t> &parents) {
    for (std::size_t i = 0; i < parents.size(); ++i) {
        std::ptrdiff_t at = parents[i];
        for (std::size_t steps = 0; at >= 0 && steps <= parents.size(); ++steps) {
            if (at == static_cast<std::ptrdiff_t>(i) || steps == parents.size()) {
                parents[i] = -1;
                break;
            }
            at = parents[static_cast<std::size_t>(at)];
        }
    }
}

struct MissingList {
    std::int64_t cells = 0;
    std::uint64_t line = 0;
    std::string text;
    int channels = 0;

    void add(const Channel &channel, const std::vector<LogDevice> &devices) {
        cells += channel.missing;
        line = line == 0 ? channel.missingLine : std::min(line, channel.missingLine);
        if (++channels <= 4)
            text += (text.empty() ? "" : ", ") + label(channel, devices) + " (" + std::to_string(channel.missing) +
                    " × " + channel.missingWord + ")";
        else if (channels == 5)
            text += " and others";
    }
};

}  // namespace

std::vector<std::ptrdiff_t> channelParents(const std::vector<Channel> &channels,
                                           const std::vector<LogDevice> &devices) {
    std::vector<std::ptrdiff_t> parents(channels.size(), -1);
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (!measuresEnergy(channels[i]))
            continue;
        parents[i] = preferredOver(i, channels);
        const LogDevice &device = devices[channels[i].device];
        const std::string &stated = channels[i].rule->inside;
        const std::string inside = !stated.empty()                 ? stated
                                   : channels[i].domain == "board" ? "module"
                                                                   : device.inside;
        if (parents[i] < 0 && !inside.empty())
            parents[i] = containerOf(i, channels, devices, inside);
    }
    breakCircles(parents);
    return parents;
}

std::map<std::size_t, std::string> frozenSensors(const std::vector<Channel> &channels,
                                                 const std::vector<LogDevice> &devices) {
    std::map<std::size_t, std::string> frozen;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const Channel &channel = channels[i];
        if (channel.rule->quantity != "power" || channel.count < kFrozenFrom || channel.min != channel.max)
            continue;
        const auto moving = std::find_if(channels.begin(), channels.end(), [&](const Channel &other) {
            return other.device == channel.device && moves(other);
        });
        if (moving != channels.end())
            frozen[i] = label(channel, devices) + " reads " + shortNumber(channel.min) + " W in all " +
                        std::to_string(channel.count) + " samples while " + moving->name + " moves between " +
                        rangeText(*moving) + ": a dead sensor, whose joules mean nothing";
    }
    return frozen;
}

void tallyMissing(const std::vector<Channel> &channels, const std::vector<LogDevice> &devices, Tally &tally) {
    MissingList bridged, unsupported;
    for (const Channel &channel : channels) {
        if (channel.missing == 0)
            continue;
        const bool never = channel.count == 0 && channel.implausible == 0;
        (never ? unsupported : bridged).add(channel, devices);
    }
    if (bridged.cells > 0)
        tally.add("missing_value", bridged.line,
                  "cells without a value, which is not 0: neighbours bridge them up to 5 median periods: " +
                      bridged.text,
                  bridged.cells);
    if (unsupported.cells > 0)
        tally.add("unsupported_sensor", unsupported.line, "columns that never have a value: " + unsupported.text,
                  unsupported.cells);
}

void tallyGaps(const std::vector<Sample> &samples, std::optional<double> maxGapSeconds, const std::string &device,
               Tally &tally) {
    const double limit =
        maxGapSeconds ? *maxGapSeconds * kNanoseconds : kPeriodsBridged * static_cast<double>(medianDistance(samples));
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const auto distance = static_cast<double>(samples[i].ts - samples[i - 1].ts);
        if (distance <= limit)
            continue;
        const double since = static_cast<double>(samples[i - 1].ts - samples.front().ts) / kNanoseconds;
        tally.add("sampling_gap", 0,
                  "no samples for longer than 5 median periods: such gaps are drawn as gaps and not integrated; "
                  "the first, of " +
                      shortNumber(distance / kNanoseconds) + " s, begins " + shortNumber(since) +
                      " s after the first sample of " + device);
    }
}

void tallyRates(const std::vector<Sample> &samples, const std::string &name, Tally &tally) {
    if (samples.size() < 3)
        return;
    const double median = static_cast<double>(medianDistance(samples));
    const double span = static_cast<double>(samples.back().ts - samples.front().ts);
    const double total = samples.back().value - samples.front().value;
    const double mean = total / span, usual = total / static_cast<double>(samples.size() - 1);
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const auto distance = static_cast<double>(samples[i].ts - samples[i - 1].ts);
        const double gained = samples[i].value - samples[i - 1].value;
        // A last step of the counter's resolution is no clock that stepped: that leaves an interval its energy.
        if (distance < kSteppedShare * median && gained > kSteppedPower * mean * std::max(distance, 1.0) &&
            gained > kSteppedGain * usual)
            tally.add("implausible_value", 0,
                      "the clock stepped between two readings of " + name +
                          ": the energy stands, but no power is derived for intervals that short");
    }
}

}  // namespace wattproof::importers
