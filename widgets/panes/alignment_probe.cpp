#include "widgets/panes/alignment_probe.h"

#include <algorithm>

#include <QFileInfo>

namespace wattproof::widgets {
namespace {

const DeviceRow *deviceOf(const std::vector<DeviceRow> &devices, DeviceId id) {
    const auto found =
        std::find_if(devices.begin(), devices.end(), [id](const DeviceRow &d) { return d.id == id; });
    return found == devices.end() ? nullptr : &*found;
}

bool isSameDevice(const DeviceRow &a, const DeviceRow &b) {
    if (a.id == b.id)
        return true;
    if (!a.uuid.empty() && !b.uuid.empty())
        return a.uuid == b.uuid;
    if (!a.pci.empty() && !b.pci.empty())
        return a.pci == b.pci;
    return a.kind == b.kind && a.nativeId == b.nativeId;
}

// Power shows edges better than the steps of an energy counter.
const CounterRow *channelOf(const std::vector<CounterRow> &counters, SourceId source) {
    const CounterRow *best = nullptr;
    for (const CounterRow &counter : counters) {
        const bool power = counter.quantity == "power";
        if (counter.source != source || counter.parent.valid() || (!power && counter.quantity != "energy"))
            continue;
        if (!best || (power && best->quantity != "power"))
            best = &counter;
    }
    return best;
}

Expected<analysis::IntervalSet> busyOf(store::Reader &reader, DeviceId measured, const std::stop_token &stop) {
    auto devices = reader.devices();
    if (!devices)
        return passOn(devices);
    auto table = reader.kernels(stop);
    if (!table)
        return passOn(table);
    const DeviceRow *own = deviceOf(*devices, measured);
    std::vector<TimeRange> matching, all;
    for (const store::KernelInterval &kernel : table->kernels) {
        all.push_back(kernel.range);
        const DeviceRow *device = deviceOf(*devices, kernel.device);
        if (own && device && isSameDevice(*own, *device))
            matching.push_back(kernel.range);
    }
    return analysis::unionOf(matching.empty() ? std::move(all) : std::move(matching));
}

}  // namespace

Expected<std::vector<AlignableSource>> readAlignable(store::Reader &reader,
                                                     const std::vector<store::Alignment> &alignments) {
    auto sources = reader.sources();
    if (!sources)
        return passOn(sources);
    std::vector<AlignableSource> all;
    for (SourceRow &source : *sources) {
        if (source.kind != SourceKind::Power)
            continue;
        AlignableSource entry;
        entry.name = QFileInfo(QString::fromStdString(source.path)).fileName().toStdString();
        entry.alignment.source = source.id;
        for (const store::Alignment &alignment : alignments)
            if (alignment.source == source.id)
                entry.alignment = alignment;
        entry.source = std::move(source);
        all.push_back(std::move(entry));
    }
    return all;
}

std::optional<double> AlignmentProbe::score(Ns offset) const {
    if (busy.empty() || !power)
        return std::nullopt;
    return analysis::alignmentScore(busy, *power, offset);
}

Expected<std::shared_ptr<const AlignmentProbe>> readProbe(store::Reader &reader, SourceId source, Ns currentOffset,
                                                          const std::stop_token &stop) {
    auto counters = reader.counters();
    if (!counters)
        return passOn(counters);
    auto probe = std::make_shared<AlignmentProbe>();
    if (const CounterRow *channel = channelOf(*counters, source)) {
        auto samples = reader.samples(channel->id, {channel->extent.begin - 1, channel->extent.end + 1}, stop);
        if (!samples)
            return passOn(samples);
        for (Sample &sample : *samples)
            sample.ts -= currentOffset;
        auto busy = busyOf(reader, channel->device, stop);
        if (!busy)
            return passOn(busy);
        probe->busy = std::move(*busy);
        probe->power.emplace(*channel, std::move(*samples));
    }
    return std::shared_ptr<const AlignmentProbe>(probe);
}

}  // namespace wattproof::widgets
