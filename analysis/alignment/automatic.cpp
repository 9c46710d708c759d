#include "analysis/alignment/align.h"
#include "analysis/alignment/marked_load.h"
#include "analysis/alignment/matching.h"
#include "analysis/alignment/zone_guess.h"
#include "analysis/energy/read_power.h"
#include "analysis/main_parts.h"
#include "store/assumed_zone.h"
#include "store/reader.h"

#include <algorithm>
#include <map>
#include <set>

namespace wattproof::analysis {
namespace {

struct DeviceLoad {
    DeviceRow device;
    std::set<SourceId> sources;
    IntervalSet busy;
    bool marked = false;  // by a list of marks: of whichever device the log shows it
};

struct Inputs {
    std::vector<SourceRow> sources;
    std::vector<DeviceRow> devices;
    std::vector<CounterRow> counters;
    std::vector<DeviceLoad> loads;
    std::map<SourceId, store::Alignment> alignments;
};

const SourceRow *find(const std::vector<SourceRow> &sources, SourceId id) {
    const auto it = std::find_if(sources.begin(), sources.end(), [&](const SourceRow &s) { return s.id == id; });
    return it == sources.end() ? nullptr : &*it;
}

Expected<std::vector<DeviceLoad>> readLoads(store::Reader &reader, const std::vector<DeviceRow> &devices,
                                            const Task &task) {
    auto table = mainOperations(reader, task.stop);
    if (!table)
        return passOn(table);
    auto tracks = reader.tracks();
    if (!tracks)
        return passOn(tracks);
    auto marked = readMarkedLoads(reader, task.stop);
    if (!marked)
        return passOn(marked);
    std::vector<DeviceLoad> result;
    for (MarkedLoad &load : *marked)
        result.push_back({{}, {load.source}, std::move(load.busy), true});
    std::map<TrackId, SourceId> sourceOf;
    for (const TrackRow &track : *tracks)
        sourceOf[track.id] = track.source;
    std::map<DeviceId, std::vector<TimeRange>> ranges;
    std::map<DeviceId, DeviceLoad> loads;
    for (const store::KernelInterval &kernel : table->kernels) {
        ranges[kernel.device].push_back(kernel.range);
        loads[kernel.device].sources.insert(sourceOf[kernel.track]);
    }
    for (auto &[id, load] : loads) {
        load.busy = unionOf(std::move(ranges[id]));
        if (const DeviceRow *device = deviceById(devices, id))
            load.device = *device;
        result.push_back(std::move(load));
    }
    return result;
}

Expected<Inputs> readInputs(store::Workspace &workspace, store::Reader &reader, std::vector<SourceRow> sources,
                            const Task &task) {
    Inputs inputs;
    auto devices = reader.devices();
    if (!devices)
        return passOn(devices);
    auto counters = reader.counters();
    if (!counters)
        return passOn(counters);
    auto loads = readLoads(reader, *devices, task);
    if (!loads)
        return passOn(loads);
    auto alignments = workspace.edits().alignments();
    if (!alignments)
        return passOn(alignments);
    for (const store::Alignment &a : *alignments)
        inputs.alignments[a.source] = a;
    inputs.sources = std::move(sources);
    inputs.devices = std::move(*devices);
    inputs.counters = std::move(*counters);
    inputs.loads = std::move(*loads);
    return inputs;
}

struct Pair {
    const DeviceLoad *load = nullptr;
    const CounterRow *channel = nullptr;
};

// Channels with the load they should show. Without any sure match every pair is a guess worth trying.
std::vector<Pair> pairsOf(const Inputs &inputs, const std::vector<CounterRow> &channels) {
    std::vector<Pair> sure, all;
    for (const DeviceLoad &load : inputs.loads) {
        for (const CounterRow &channel : channels) {
            all.push_back({&load, &channel});
            const DeviceRow *device = deviceById(inputs.devices, channel.device);
            if (load.marked || (device && sameDevice(load.device, *device)))
                sure.push_back({&load, &channel});
        }
    }
    return sure.empty() ? all : sure;
}

bool hasWallTime(const SourceRow *source) {
    return source && (source->clock == ClockBasis::Epoch || source->clock == ClockBasis::WallAssumedZone);
}

AlignmentProposal propose(const Inputs &inputs, const SourceRow &log, const Pair &pair, const PowerSeries &power,
                          const Task &task) {
    const bool wallTimes =
        hasWallTime(&log) && std::all_of(pair.load->sources.begin(), pair.load->sources.end(),
                                         [&](SourceId s) { return hasWallTime(find(inputs.sources, s)); });
    if (!wallTimes)
        return correlate(pair.load->busy, power, task);
    return alignByClock(pair.load->busy, power, hasAssumedZone(log));
}

bool better(const AlignmentProposal &a, const AlignmentProposal &b) {
    if (a.alignment.has_value() != b.alignment.has_value())
        return a.alignment.has_value();
    const auto score = [](const AlignmentProposal &p) {
        return p.alignment ? p.alignment->confidence : p.peak ? p.peak->correlation : -1;
    };
    return score(a) > score(b);
}

Expected<AlignmentProposal> proposeFor(store::Reader &reader, const Inputs &inputs, const SourceRow &log,
                                       const Task &task) {
    AlignmentProposal best;
    best.refusal = inputs.loads.empty() ? "there is no trace with device operations, nor a marked load, to align with"
                                        : "the log has no power or energy channel";
    const std::vector<CounterRow> channels = edgeChannels(inputs.counters, inputs.devices, log.id);
    for (const Pair &pair : pairsOf(inputs, channels)) {
        if (task.cancelled())
            return cancelled();
        auto power = readStatedPower(reader, *pair.channel, log.map, task.stop);
        if (!power)
            return passOn(power);
        AlignmentProposal proposal = propose(inputs, log, pair, *power, task);
        if (pair.load->marked && proposal.alignment)
            proposal.alignment->note = "against the marked load: " + proposal.alignment->note;
        if (!better(proposal, best) && best.peak)
            continue;
        if (proposal.alignment)
            proposal.clock = addDrift(*proposal.alignment, pair.load->busy, *power, log.map.base, task);
        best = std::move(proposal);
    }
    if (best.alignment) {
        best.alignment->source = log.id;
        best.zone = guessedZone(log, *best.alignment);
    }
    return best;
}

bool wanted(const Inputs &inputs, const SourceRow &source, std::optional<SourceId> only) {
    if (only)
        return source.id == *only;
    const auto it = inputs.alignments.find(source.id);
    const bool byHand = it != inputs.alignments.end() && it->second.method == "manual";
    return source.kind == SourceKind::Power && !byHand;
}

bool alreadyStored(const Inputs &inputs, const store::Alignment &a) {
    const auto it = inputs.alignments.find(a.source);
    return it != inputs.alignments.end() && it->second.offset == a.offset && it->second.driftPpb == a.driftPpb &&
           it->second.anchor == a.anchor && it->second.method == a.method && it->second.note == a.note;
}

}  // namespace

Expected<std::vector<SourceAlignment>> alignAutomatically(store::Workspace &workspace, const Task &task,
                                                          std::optional<SourceId> only) {
    auto reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    auto sources = (*reader)->sources();
    if (!sources)
        return passOn(sources);
    const auto isLog = [](const SourceRow &source) { return source.kind == SourceKind::Power; };
    if (!only && std::none_of(sources->begin(), sources->end(), isLog))
        return std::vector<SourceAlignment>();
    auto inputs = readInputs(workspace, **reader, std::move(*sources), task);
    if (!inputs)
        return passOn(inputs);
    std::vector<SourceAlignment> results;
    for (const SourceRow &source : inputs->sources) {
        if (!wanted(*inputs, source, only))
            continue;
        task.report({"Aligning " + source.path, results.size(), inputs->sources.size(), "sources"});
        auto proposal = proposeFor(**reader, *inputs, source, task);
        if (!proposal)
            return passOn(proposal);
        const auto &found = proposal->alignment;
        if (found && !alreadyStored(*inputs, *found))
            if (auto stored = workspace.edits().setAlignment(*found); !stored)
                return passOn(stored);
        results.push_back({source.id, std::move(*proposal)});
    }
    return results;
}

}  // namespace wattproof::analysis
