#include "importers/power/channels.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

// Where more than a counter's range could have passed at this power between two readings, one wrap cannot be told
// from two.
constexpr double kMostWatts = 1000;
constexpr double kNanosecondsPerSecond = 1e9;

}  // namespace

std::size_t Channels::find(std::size_t device, const std::string &domain, const BoundColumn &column,
                           const std::string &part) {
    const std::string name = part.empty() ? column.name : column.name + " " + part;
    const auto [it, added] = byName_.try_emplace({device, name}, channels_.size());
    if (!added)
        return it->second;
    Channel channel;
    channel.device = device;
    channel.rule = column.rule;
    channel.name = name;
    channel.part = part;
    channel.unit = column.unit;
    channel.domain = column.rule->domain.empty() ? domain : column.rule->domain;
    if (column.unitInHeader)
        channel.headerFactor = column.scale.apply(1);
    channel.spool = spool_.addChannel();
    channels_.push_back(std::move(channel));
    return it->second;
}

// A fall of a counter with a stated range is one wrap, else a reset, which stays a fall in the samples.
double Channels::unwrap(Channel &channel, Ns ts, double value, double modulus, std::uint64_t line) {
    const double elapsed = static_cast<double>(ts - channel.rawAt) / kNanosecondsPerSecond;
    const bool ranged = modulus > 0;
    if (channel.count > 0 && ranged && elapsed * kMostWatts > modulus && elapsed > 1) {
        tally_.add("counter_wrap_ambiguous", line,
                   "the distance to the reading before is so long that the energy counter may have wrapped more "
                   "than once: "
                   "its difference is counted as it stands, a fall as a gap");
    } else if (channel.count > 0 && value < channel.raw) {
        if (ranged && value + modulus >= channel.raw) {
            channel.offset += modulus;
            tally_.add("counter_wrap", line,
                       "an energy counter wrapped at its stated range, which was added once");
        } else {
            tally_.add(
                "counter_reset", line,
                "an energy counter fell without a stated range: it was reset; the interval counts as a gap");
        }
    }
    channel.raw = value;
    channel.rawAt = ts;
    return value + channel.offset;
}

void Channels::addValue(std::size_t index, const StepGuard::Placed &at, double value, double modulus,
                        std::uint64_t line) {
    Channel &channel = channels_[index];
    const bool disordered = at.order == StepGuard::Order::Disordered;
    channel.disordered = channel.disordered || disordered;
    if (channel.rule->kind == CounterKind::Counter)
        value = disordered ? value + channel.offset : unwrap(channel, at.ts, value, modulus, line);
    if (channel.count++ == 0) {
        channel.first = channel.min = channel.max = value;
        channel.firstAt = channel.lastAt = at.ts;
    }
    channel.min = std::min(channel.min, value);
    channel.max = std::max(channel.max, value);
    channel.lastAt = std::max(channel.lastAt, at.ts);
    if (!disordered)
        watch(channel, at.ts, value);
    spool_.push(channel.spool, {at.ts, value});
}

void Channels::watch(Channel &channel, Ns ts, double value) {
    const std::string &quantity = channel.rule->quantity;
    if (moves_.size() <= channel.device)
        moves_.resize(channel.device + 1);
    DeviceMoves &moves = moves_[channel.device];
    if (quantity == "power")
        channel.watch.add(ts, value, moves);
    else if (quantity == "temperature" || quantity == "utilisation")
        moves.note(channel.mover, ts, value, quantity == "utilisation");
}

void Channels::addMissing(std::size_t index, std::string_view cell, std::uint64_t line) {
    Channel &channel = channels_[index];
    if (channel.missing++ > 0)
        return;
    channel.missingLine = line;
    channel.missingWord = cell.empty() ? "empty" : validUtf8(cell.substr(0, 60));
}

void Channels::addImplausible(std::size_t index, double value, std::uint64_t line) {
    Channel &channel = channels_[index];
    channel.implausibleMin = channel.implausible == 0 ? value : std::min(channel.implausibleMin, value);
    if (channel.implausible++ > 0 && tally_.count("implausible_value") > 0)
        return tally_.add("implausible_value", line, "");
    tally_.add(
        "implausible_value", line,
        "readings that no sensor of this kind can give were left out, as missing values are; the first is " +
            shortNumber(value) + " " + channel.unit + " in " + channel.name);
}

}  // namespace wattproof::importers
