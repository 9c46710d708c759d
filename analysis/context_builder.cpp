#include "analysis/context_builder.h"

#include "analysis/energy/read_power.h"
#include "analysis/energy/sensor_windows.h"
#include "analysis/timeline/gpu_timeline.h"
#include "analysis/timeline/idle_cause.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

void extend(TimeRange &range, TimeRange by) {
    if (by.empty() && by.begin == 0 && by.end == 0)
        return;
    const bool fresh = range.begin == 0 && range.end == 0;
    range = fresh ? by : TimeRange{std::min(range.begin, by.begin), std::max(range.end, by.end)};
}

class Builder {
public:
    Builder(store::Reader &reader, Context &context, const Task &task)
        : reader_(reader), context_(context), task_(task) {}

    Status build() {
        for (Status (Builder::*step)() :
             {&Builder::readTables, &Builder::readOperations, &Builder::readHostCalls, &Builder::buildActivities,
              &Builder::readAcceleratorPower, &Builder::readOtherPower, &Builder::readReadings}) {
            if (task_.cancelled())
                return cancelled();
            if (Status status = (this->*step)(); !status)
                return status;
        }
        return {};
    }

private:
    template <class T>
    Status take(Expected<T> read, T &into) {
        if (!read)
            return tl::unexpected<Error>(std::move(read.error()));
        into = std::move(*read);
        return {};
    }

    Status readTables() {
        task_.report({"Reading the workspace", 0, 0, "tables"});
        Status status = take(reader_.sources(), context_.sources);
        if (status)
            status = take(reader_.devices(), context_.devices);
        if (status)
            status = take(reader_.counters(), context_.counters);
        if (status)
            status = take(reader_.tracks(), context_.tracks);
        if (status)
            status = take(reader_.requests(), context_.requests);
        if (status)
            status = take(reader_.quality(), context_.quality);
        if (status)
            status = take(MainParts::read(reader_, context_.sources, context_.tracks), context_.mainParts);
        for (const SourceRow &source : context_.sources)
            extend(context_.traceExtent, context_.mainParts.of(source.id));
        return status;
    }

    Status readOperations() {
        task_.report({"Reading accelerator operations", 0, 0, "slices"});
        if (Status status = take(reader_.kernels(task_.stop), context_.kernels); !status)
            return status;
        std::map<TrackId, SourceId> sourceOf;
        for (const TrackRow &track : context_.tracks)
            sourceOf[track.id] = track.source;
        std::set<DeviceId> traced;  // wherever it lies: far operations are of the same devices
        for (const store::KernelInterval &op : context_.kernels.kernels)
            traced.insert(op.device);
        context_.mainParts.trim(context_.kernels);
        std::map<DeviceId, std::set<TrackId>> tracks;
        for (const store::KernelInterval &op : context_.kernels.kernels)
            tracks[op.device].insert(op.track);
        std::set<DeviceId> logged;
        for (const CounterRow &counter : context_.counters)
            logged.insert(counter.device);
        context_.sameDevice = joinDevices(context_.devices, traced, logged, context_.result.lints);
        for (const auto &[device, ids] : tracks)
            for (const TrackId track : ids)
                context_.traceSources[context_.standsFor(device)].insert(sourceOf[track]);
        return {};
    }

    Status readHostCalls() {
        task_.report({"Reading host calls", 0, 0, "slices"});
        std::vector<store::HostCall> calls;
        if (Status status = take(reader_.hostCalls({}, context_.traceExtent, task_.stop), calls); !status)
            return status;
        std::set<StringId> ids;
        for (const store::HostCall &call : calls) {
            ids.insert(call.name);
            ids.insert(call.category);
        }
        for (const store::KernelInterval &op : context_.kernels.kernels)
            ids.insert(op.name);
        ids.erase(StringId());
        const std::vector<StringId> wanted(ids.begin(), ids.end());
        std::vector<std::string> texts;
        if (Status status = take(reader_.texts(wanted), texts); !status)
            return status;
        for (std::size_t i = 0; i < wanted.size() && i < texts.size(); ++i)
            context_.texts[wanted[i]] = std::move(texts[i]);
        context_.host = HostTimeline(std::move(calls), context_.texts);
        return {};
    }

    Status buildActivities() {
        task_.report({"Building the device timeline", 0, 0, "slices"});
        context_.activity = deviceActivities(context_);
        for (auto &[id, activity] : context_.activity) {
            activity.traced = activity.span;
            for (const SourceId source : context_.traceSources[id])
                extend(activity.traced, context_.mainParts.of(source));
            findGaps(activity, context_.host);
        }
        return {};
    }

    Expected<PowerSeries> series(const CounterRow &channel) {
        return readPower(reader_, channel, task_.stop);
    }

    // Rows that are this accelerator: itself and those joined to it.
    std::set<DeviceId> rowsOf(DeviceId id) const {
        std::set<DeviceId> rows{id};
        for (const auto &[row, standsFor] : context_.sameDevice)
            if (standsFor == id)
                rows.insert(row);
        return rows;
    }

    std::set<DeviceId> accelerators() const {
        std::set<DeviceId> ids;
        for (const DeviceRow &device : context_.devices)
            if (device.kind == DeviceKind::Gpu)
                ids.insert(context_.standsFor(device.id));
        return ids;
    }

    Status readAcceleratorPower() {
        task_.report({"Reading power", 0, 0, "samples"});
        for (const DeviceId id : accelerators()) {
            const std::set<DeviceId> rows = rowsOf(id);
            const CounterRow *channel = boardChannel(context_.counters, rows);
            if (channel == nullptr)
                continue;
            auto power = series(*channel);
            if (!power)
                return tl::unexpected<Error>(std::move(power.error()));
            extend(context_.powerExtent, power->extent());
            context_.centredPower.emplace(id, centred(*power));
            if (Status status = compareWithCounter(id, rows, *channel, *power); !status)
                return status;
            context_.power.emplace(id, std::move(*power));
        }
        return {};
    }

    // Where joules come from an energy counter, the integral of the power channel beside it says how far both
    // agree.
    Status compareWithCounter(DeviceId id, const std::set<DeviceId> &rows, const CounterRow &chosen,
                              const PowerSeries &counter) {
        if (chosen.kind != CounterKind::Counter)
            return {};
        std::vector<CounterRow> others = context_.counters;
        std::erase_if(others,
                      [&](const CounterRow &c) { return c.quantity != "power" || c.domain != chosen.domain; });
        const CounterRow *channel = boardChannel(others, rows);
        if (channel == nullptr)
            return {};
        auto power = series(*channel);
        if (!power)
            return tl::unexpected<Error>(std::move(power.error()));
        const TimeRange common{std::max(power->extent().begin, counter.extent().begin),
                               std::min(power->extent().end, counter.extent().end)};
        const double counted = counter.energy(common).j;
        if (counted > 0)
            context_.counterDisagreement[id] = (power->energy(common).j - counted) / counted;
        return {};
    }

    Status readOtherPower() {
        std::set<CounterId> boards;
        for (const auto &[id, power] : context_.power)
            boards.insert(power.channel().id);
        const std::vector<CounterRow> roots = rootChannels(context_.counters, context_.devices);
        for (const auto &[id, power] : context_.power)
            if (!isRootOrSibling(roots, power.channel()))
                context_.insideOther.insert(id);
        for (const CounterRow &root : roots) {
            const auto row = std::find_if(context_.devices.begin(), context_.devices.end(),
                                          [&](const DeviceRow &device) { return device.id == root.device; });
            const bool ownBoard = row->kind == DeviceKind::Gpu && !holdsABoard(root);
            if (boards.contains(root.id) || ownBoard || isAlternative(root))
                continue;
            auto power = series(root);
            if (!power)
                return tl::unexpected<Error>(std::move(power.error()));
            extend(context_.powerExtent, power->extent());
            const std::string domain = root.domain.empty() ? word(row->kind) : root.domain;
            context_.otherPower.push_back({domain, *row, std::move(*power)});
        }
        return {};
    }

    // A root of the same device and domain speaks of the same joules.
    static bool isRootOrSibling(const std::vector<CounterRow> &roots, const CounterRow &channel) {
        return std::any_of(roots.begin(), roots.end(), [&](const CounterRow &root) {
            return root.device == channel.device && root.domain == channel.domain;
        });
    }

    // Another reading (averaged, instantaneous) of the joules that an accelerator's own channel gives.
    bool isAlternative(const CounterRow &root) const {
        return std::any_of(context_.power.begin(), context_.power.end(), [&](const auto &entry) {
            const CounterRow &own = entry.second.channel();
            return own.device == root.device && own.domain == root.domain;
        });
    }

    // Whether the channel of an accelerator is the parent of its board's channel (a module).
    bool holdsABoard(const CounterRow &root) const {
        return std::any_of(context_.power.begin(), context_.power.end(),
                           [&](const auto &entry) { return entry.second.channel().parent == root.id; });
    }

    Status readReadings() {
        for (const DeviceId id : accelerators()) {
            const std::set<DeviceId> rows = rowsOf(id);
            DeviceReadings &out = context_.readings[id];
            for (const CounterRow &counter : context_.counters)
                if (rows.contains(counter.device))
                    if (Status status = readReading(counter, out); !status)
                        return status;
            context_.hasThrottleFlags[id] = !out.flags.empty();
            context_.hasClock[id] = !out.clockHz.empty();
            context_.hasTemperature[id] = !out.temperatureC.empty();
            if (!out.limitW.empty())
                context_.powerLimitW[id] = out.limitW.back().value;
        }
        return {};
    }

    Status readReading(const CounterRow &counter, DeviceReadings &out) {
        const bool clock = counter.quantity == "clock" && counter.domain != "memory" && counter.domain != "video";
        const bool temperature = counter.quantity == "temperature" && counter.domain != "memory";
        const bool limit = counter.quantity == "limit" && counter.unit == "W" && counter.domain != "module";
        const bool utilisation = counter.quantity == "utilisation" && counter.domain == "gpu";
        const bool flags = counter.kind == CounterKind::Flags;
        std::vector<Sample> *into = clock         ? &out.clockHz
                                    : temperature ? &out.temperatureC
                                    : limit       ? &out.limitW
                                    : utilisation ? &out.utilisation
                                                  : nullptr;
        if (!flags && (into == nullptr || !into->empty()))
            return {};
        auto samples = reader_.samples(counter.id, {counter.extent.begin, counter.extent.end + 1}, task_.stop);
        if (!samples)
            return tl::unexpected<Error>(std::move(samples.error()));
        auto period = reader_.samplePeriod(counter.id);
        if (!period)
            return tl::unexpected<Error>(std::move(period.error()));
        if (flags)
            out.flags.push_back({counter.flagTable, std::move(*samples), *period});
        else
            *into = std::move(*samples);
        if (clock)
            out.clockPeriod = *period;
        if (utilisation)
            out.utilisationPeriod = *period;
        return {};
    }

    store::Reader &reader_;
    Context &context_;
    const Task &task_;
};

}  // namespace

Status buildContext(store::Reader &reader, Context &context, const Task &task) {
    return Builder(reader, context, task).build();
}

}  // namespace wattproof::analysis
