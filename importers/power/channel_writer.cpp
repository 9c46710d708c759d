#include "importers/power/channels.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

bool before(const Sample &a, const Sample &b) {
    return a.ts < b.ts;
}

}  // namespace

ChannelWriter::ChannelWriter(store::BulkWriter &writer, SourceId source, std::vector<LogDevice> &devices,
                             Channels &channels, const SensorFacts &facts, Tally &tally,
                             std::optional<double> maxGapSeconds)
    : writer_(writer),
      source_(source),
      devices_(devices),
      channels_(channels),
      facts_(facts),
      tally_(tally),
      maxGapSeconds_(maxGapSeconds),
      parents_(channelParents(channels.all(), devices)),
      counters_(channels.all().size()),
      frozen_(frozenSensors(channels.all(), devices)),
      gapsChecked_(devices.size(), false) {}

// Containers first; devices that contain each other's domains in turn stay without a parent.
void ChannelWriter::writeDevice(std::size_t index) {
    LogDevice &device = devices_[index];
    if (device.written)
        return;
    device.written = true;
    for (std::size_t i = 0; i < parents_.size(); ++i) {
        const Channel &channel = channels_.all()[i];
        if (channel.device != index || parents_[i] < 0)
            continue;
        const std::size_t outer = channels_.all()[static_cast<std::size_t>(parents_[i])].device;
        if (outer == index)
            continue;
        writeDevice(outer);
        device.row.parent = devices_[outer].row.id;
    }
    device.row.source = source_;
    device.row.id = writer_.addDevice(device.row);
}

void ChannelWriter::writeDevices() {
    std::vector<bool> speaks(devices_.size());  // others are rows of a log that nothing was read of
    for (const Channel &channel : channels_.all())
        speaks[channel.device] = true;
    for (std::size_t i = 0; i < devices_.size(); ++i)
        if (speaks[i])
            writeDevice(i);
}

Sensor ChannelWriter::sensorOf(std::size_t index) const {
    const Channel &channel = channels_.all()[index];
    Sensor sensor;
    if (!channel.rule->sensor.empty())
        sensor = facts_.find(devices_[channel.device].model, channel.rule->sensor);
    sensor.window = channel.window > 0 ? channel.window : sensor.window;
    if (const auto it = frozen_.find(index); it != frozen_.end())
        sensor.note = it->second + (sensor.note.empty() ? "" : ". " + sensor.note);
    return sensor;
}

CounterId ChannelWriter::addCounter(std::size_t index) {
    if (counters_[index].valid())
        return counters_[index];
    const Channel &channel = channels_.all()[index];
    CounterRow row;
    if (parents_[index] >= 0)
        row.parent = addCounter(static_cast<std::size_t>(parents_[index]));
    row.source = source_;
    row.name = channel.name;
    row.device = devices_[channel.device].row.id;
    row.domain = channel.domain;
    row.quantity = channel.rule->quantity;
    row.unit = channel.unit;
    row.kind = channel.rule->kind;
    row.flagTable = channel.rule->flagTable;
    row.sensor = sensorOf(index);
    return counters_[index] = writer_.addCounter(row);
}

bool ChannelWriter::isWholeEnergy(std::size_t index) const {
    const Channel &channel = channels_.all()[index];
    const std::string &quantity = channel.rule->quantity;
    return channel.count > 0 && parents_[index] < 0 && (quantity == "power" || quantity == "energy");
}

// Gaps of a device are those of its energy, else of whatever it has.
void ChannelWriter::noteMeasured() {
    measured_.assign(devices_.size(), false);
    for (std::size_t i = 0; i < channels_.all().size(); ++i)
        if (isWholeEnergy(i))
            measured_[channels_.all()[i].device] = true;
}

Status ChannelWriter::writeSamples(std::size_t index, Ns base) {
    const Channel &channel = channels_.all()[index];
    Expected<std::vector<Sample>> samples = channels_.spool().take(channel.spool);
    if (!samples)
        return passOn(samples);
    if (channel.disordered)
        std::stable_sort(samples->begin(), samples->end(), before);
    for (Sample &sample : *samples)
        sample.ts -= base;
    const bool tellsGaps = isWholeEnergy(index) || !measured_[channel.device];
    if (tellsGaps && channel.part.empty() && channel.rule->kind != CounterKind::Run &&
        !gapsChecked_[channel.device]) {
        gapsChecked_[channel.device] = true;
        tallyGaps(*samples, maxGapSeconds_, devices_[channel.device].row.name, tally_);
    }
    if (channel.rule->quantity == "energy" && channel.rule->kind == CounterKind::Counter)
        tallyRates(*samples, channel.name, tally_);
    return writer_.writeSamples(counters_[index], *samples);
}

Status ChannelWriter::write(Ns base, Summary &summary, const Task &task) {
    writeDevices();
    tallyMissing(channels_.all(), devices_, tally_);
    for (const auto &[index, sentence] : frozen_)
        tally_.add("frozen_sensor", 0, sentence);
    for (Channel &channel : channels_.all())
        channel.watch.end();
    tallyDoubts(channels_.all(), devices_, parents_, frozen_, tally_);
    tallyLost(channels_.all(), devices_, tally_);
    noteMeasured();
    for (std::size_t i = 0; i < counters_.size(); ++i) {
        const Channel &channel = channels_.all()[i];
        if (channel.missing > 0)
            writer_.addMetadata({source_, devices_[channel.device].row.name + ".missing_cells." + channel.name,
                                 std::to_string(channel.missing)});
        if (channel.count == 0)
            continue;
        if (task.cancelled())
            return cancelled();
        static_cast<void>(addCounter(i));
        if (Status status = writeSamples(i, base); !status)
            return status;
        ++summary.counters;
        summary.samples += channel.count;
    }
    return {};
}

}  // namespace wattproof::importers
