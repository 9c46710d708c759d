#include "widgets/panes/alignment_probe.h"

#include "analysis/alignment/marked_load.h"
#include "analysis/alignment/matching.h"
#include "analysis/energy/read_power.h"
#include "analysis/main_parts.h"

#include <set>

#include <QFileInfo>

namespace wattproof::widgets {
namespace {

// The device's load, or that of all devices where none is known to be the measured one; where none was traced, the
// load that is marked.
Expected<analysis::IntervalSet> busyOf(store::Reader &reader, const std::vector<DeviceRow> &devices,
                                       DeviceId measured, const std::stop_token &stop) {
    auto table = analysis::mainOperations(reader, stop);
    if (!table)
        return passOn(table);
    const DeviceRow *own = analysis::deviceById(devices, measured);
    std::set<DeviceId> same;
    for (const DeviceRow &device : devices)
        if (own && analysis::sameDevice(*own, device))
            same.insert(device.id);
    std::vector<TimeRange> matching, all;
    for (const store::KernelInterval &kernel : table->kernels) {
        all.push_back(kernel.range);
        if (same.contains(kernel.device))
            matching.push_back(kernel.range);
    }
    if (!all.empty())
        return analysis::unionOf(matching.empty() ? std::move(all) : std::move(matching));
    auto marked = analysis::readMarkedLoads(reader, stop);
    if (!marked)
        return passOn(marked);
    return marked->empty() ? analysis::IntervalSet() : std::move(marked->front().busy);
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

Expected<std::shared_ptr<const AlignmentProbe>> readProbe(store::Reader &reader, const SourceRow &source,
                                                          const std::stop_token &stop) {
    auto counters = reader.counters();
    if (!counters)
        return passOn(counters);
    auto devices = reader.devices();
    if (!devices)
        return passOn(devices);
    auto probe = std::make_shared<AlignmentProbe>();
    const std::vector<CounterRow> channels = analysis::edgeChannels(*counters, *devices, source.id);
    if (!channels.empty()) {
        auto power = analysis::readStatedPower(reader, channels.front(), source.map, stop);
        if (!power)
            return passOn(power);
        auto busy = busyOf(reader, *devices, channels.front().device, stop);
        if (!busy)
            return passOn(busy);
        probe->busy = std::move(*busy);
        probe->power = std::move(*power);
    }
    return std::shared_ptr<const AlignmentProbe>(probe);
}

}  // namespace wattproof::widgets
