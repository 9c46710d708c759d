#include "importers/perfetto/clock_snapshot.h"

#include "importers/perfetto/wire.h"
#include "importers/trace/time_crowd.h"

#include <map>
#include <numeric>
#include <optional>

namespace wattproof::importers::perfetto {
namespace {

// One message between two machines: what the sender's clocks read when it left, the receiver's when it came.
struct Exchange {
    std::map<std::uint32_t, Ns> client, host;
};

// Later messages than these say nothing that the ones before do not.
constexpr std::size_t kMostExchanges = 4096;

ClockTracker::Reading readClock(std::string_view bytes, std::uint32_t sequence, std::uint32_t machine) {
    ClockTracker::Reading reading;
    Message clock(bytes);
    for (Field own; clock.next(own);) {
        if (own.id == 1)
            reading.clock = clockKey(static_cast<std::uint32_t>(own.number), sequence, machine);
        else if (own.id == 2)
            reading.raw = own.number;
        else if (own.id == 3)
            reading.incremental = own.truth();
        else if (own.id == 4)
            reading.unitNs = own.number;
    }
    return reading;
}

std::map<std::uint32_t, Ns> readClocks(std::string_view snapshot) {
    std::map<std::uint32_t, Ns> times;
    Message message(snapshot);
    for (Field field; message.next(field);) {
        if (field.id != 1 || !field.isBytes())
            continue;
        const ClockTracker::Reading reading = readClock(field.bytes, 0, 0);
        if (reading.raw <= static_cast<std::uint64_t>(kLargestTime))
            times[static_cast<std::uint32_t>(reading.clock)] = static_cast<Ns>(reading.raw);
    }
    return times;
}

std::vector<Exchange> readExchanges(std::string_view sync) {
    constexpr std::uint32_t kClient = 2, kHost = 3;
    std::vector<Exchange> all;
    Message message(sync);
    for (Field field; message.next(field);) {
        if (field.id != 1 || !field.isBytes() || all.size() == kMostExchanges)
            continue;
        Exchange exchange;
        Message sides(field.bytes);
        for (Field side; sides.next(side);)
            if (side.isBytes() && (side.id == kClient || side.id == kHost))
                (side.id == kClient ? exchange.client : exchange.host) = readClocks(side.bytes);
        all.push_back(std::move(exchange));
    }
    return all;
}

std::optional<Ns> timeIn(const std::map<std::uint32_t, Ns> &times, std::uint32_t clock) {
    const auto found = times.find(clock);
    return found == times.end() ? std::nullopt : std::optional(found->second);
}

struct Offset {
    Ns client = 0, host = 0;  // at one moment
    Ns roundTrip = kLargestTime;
};

// The host's reading lies between two of the client, and the client's second between two of the host: how far the
// clocks are apart is the mean of what both say.
Offset offsetOf(Ns client, Ns host, Ns laterClient, Ns laterHost) {
    const Ns first = host - std::midpoint(client, laterClient);
    const Ns second = std::midpoint(host, laterHost) - laterClient;
    const Ns trip = laterClient - client;
    return {laterClient, laterClient + std::midpoint(first, second), trip < 0 ? kLargestTime : trip};
}

// The quicker the answer, the less can hide in it.
std::optional<Offset> bestOffset(const std::vector<Exchange> &all, std::uint32_t clock) {
    std::optional<Offset> best, before;
    for (const Exchange &exchange : all) {
        const auto client = timeIn(exchange.client, clock), host = timeIn(exchange.host, clock);
        if (!client || !host)
            continue;
        const Offset own =
            before ? offsetOf(before->client, before->host, *client, *host) : Offset{*client, *host};
        if (!best || own.roundTrip <= best->roundTrip)
            best = own;
        before = Offset{*client, *host};
    }
    return best;
}

}  // namespace

std::vector<ClockTracker::Reading> readSnapshot(std::string_view snapshot, std::uint32_t sequence,
                                                std::uint32_t machine, std::uint32_t &primary) {
    std::vector<ClockTracker::Reading> all;
    Message message(snapshot);
    for (Field field; message.next(field);) {
        if (field.id == 2)
            primary = static_cast<std::uint32_t>(field.number);
        if (field.id == 1 && field.isBytes())
            all.push_back(readClock(field.bytes, sequence, machine));
    }
    return all;
}

std::vector<ClockPair> readClockSync(std::string_view sync, std::uint32_t machine) {
    const std::vector<Exchange> all = readExchanges(sync);
    std::vector<ClockPair> pairs;
    if (all.empty())
        return pairs;
    for (const auto &[clock, time] : all.front().client) {
        const auto offset = bestOffset(all, clock);
        if (!offset || offset->host < 0)
            continue;
        ClockPair pair;
        pair[0].clock = machineClock(clock, machine);
        pair[0].raw = static_cast<std::uint64_t>(offset->client);
        pair[1].clock = machineClock(clock, 0);
        pair[1].raw = static_cast<std::uint64_t>(offset->host);
        pairs.push_back(pair);
    }
    return pairs;
}

}  // namespace wattproof::importers::perfetto
