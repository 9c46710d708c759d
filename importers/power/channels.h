// The values of one log, channel by channel, and what is checked and written once all are there.
#pragma once

#include "importers/power/log_devices.h"
#include "importers/power/reading_watch.h"
#include "importers/power/sample_spool.h"
#include "importers/power/sensor_facts.h"
#include "importers/power/tally.h"

#include <map>
#include <string>
#include <vector>

namespace wattproof::importers {

struct Channel {
    std::size_t device = 0;
    const ColumnRule *rule = nullptr;
    std::string name, unit, domain;
    std::string part;  // of several readings of one device in a row's column: which one
    Ns window = 0;     // of kind run: what the value stands for
    std::size_t spool = 0;
    bool disordered = false;  // some stamps lie before their neighbours: sorted when written
    std::int64_t count = 0;
    double first = 0, min = 0, max = 0;
    std::int64_t missing = 0, implausible = 0;
    double implausibleMin = 0;  // of those left out
    double headerFactor = 0;    // of the unit that the header states; 0: none
    Ns firstAt = 0, lastAt = 0;
    ReadingWatch watch;             // of power
    DeviceMoves::Sensor mover;      // of what tells that power should have moved
    std::uint64_t missingLine = 0;  // of the first missing value
    std::string missingWord;        // what stood there
    double raw = 0, offset = 0;     // of a counter: the last reading, and what wraps added so far
    Ns rawAt = 0;
};

class Channels {
public:
    explicit Channels(Tally &tally) : tally_(tally) {}

    // The channel of a device's column; made at first use.
    [[nodiscard]] std::size_t find(std::size_t device, const std::string &domain, const BoundColumn &column,
                                   const std::string &part = {});
    void addValue(std::size_t channel, const StepGuard::Placed &at, double value, double modulus,
                  std::uint64_t line);
    void addMissing(std::size_t channel, std::string_view cell, std::uint64_t line);
    void addImplausible(std::size_t channel, double value, std::uint64_t line);

    [[nodiscard]] std::vector<Channel> &all() { return channels_; }
    [[nodiscard]] SampleSpool &spool() { return spool_; }

private:
    [[nodiscard]] double unwrap(Channel &, Ns ts, double value, double modulus, std::uint64_t line);

    Tally &tally_;
    void watch(Channel &, Ns ts, double value);

    std::vector<Channel> channels_;
    std::vector<DeviceMoves> moves_;  // by device
    std::map<std::pair<std::size_t, std::string>, std::size_t> byName_;
    SampleSpool spool_;
};

// Writes devices, counters and samples of a source.
class ChannelWriter {
public:
    ChannelWriter(store::BulkWriter &, SourceId, std::vector<LogDevice> &, Channels &, const SensorFacts &,
                  Tally &, std::optional<double> maxGapSeconds);
    // base: stated time of source time 0. Fills the counts of the summary.
    [[nodiscard]] Status write(Ns base, Summary &, const Task &);

private:
    void writeDevices();
    void writeDevice(std::size_t device);
    [[nodiscard]] CounterId addCounter(std::size_t channel);
    [[nodiscard]] Sensor sensorOf(std::size_t channel) const;
    [[nodiscard]] Status writeSamples(std::size_t channel, Ns base);
    [[nodiscard]] bool isWholeEnergy(std::size_t channel) const;
    void noteMeasured();

    store::BulkWriter &writer_;
    SourceId source_;
    std::vector<LogDevice> &devices_;
    Channels &channels_;
    const SensorFacts &facts_;
    Tally &tally_;
    std::optional<double> maxGapSeconds_;
    std::vector<std::ptrdiff_t> parents_;  // by channel: the channel that contains it, or -1
    std::vector<CounterId> counters_;
    std::map<std::size_t, std::string> frozen_;  // by channel: what is said of it
    std::vector<bool> gapsChecked_;              // by device
    std::vector<bool> measured_;                 // by device: has a channel of energy that none contains
};

// By channel: the one that contains it, or measures the same first, so that both are never added; -1: none.
[[nodiscard]] std::vector<std::ptrdiff_t> channelParents(const std::vector<Channel> &,
                                                         const std::vector<LogDevice> &);
// Power channels that never move while another reading of their device does, with what is said of them.
[[nodiscard]] std::map<std::size_t, std::string> frozenSensors(const std::vector<Channel> &,
                                                               const std::vector<LogDevice> &);
// Zeros, repeats, stretches that stood still and units that cannot be, of power. frozen: channels that are dead
// throughout.
void tallyDoubts(const std::vector<Channel> &, const std::vector<LogDevice> &,
                 const std::vector<std::ptrdiff_t> &parents, const std::map<std::size_t, std::string> &frozen,
                 Tally &);
void tallyLost(const std::vector<Channel> &, const std::vector<LogDevice> &, Tally &);
// Settles missing values: unsupported_sensor where a channel never had one, else missing_value.
void tallyMissing(const std::vector<Channel> &, const std::vector<LogDevice> &, Tally &);
// Counts distances that are not bridged (docs/methods.md, Energy).
void tallyGaps(const std::vector<Sample> &, std::optional<double> maxGapSeconds, const std::string &device,
               Tally &);
// Counts intervals of an energy counter whose power cannot be, because the clock stepped between two readings.
void tallyRates(const std::vector<Sample> &, const std::string &name, Tally &);

}  // namespace wattproof::importers
