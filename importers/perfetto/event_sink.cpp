#include "importers/perfetto/event_sink.h"

#include <algorithm>

namespace wattproof::importers::perfetto {

void EventSink::send(Type type, const RawEvent &event, Ns dur, std::uint32_t launch) {
    switch (type) {
        case Type::Begin:
            return context_.builder.begin(event);
        case Type::End:
            return context_.builder.end(event);
        case Type::Instant:
            return context_.builder.instant(event);
        case Type::Complete:
            return context_.builder.complete(event, dur);
        case Type::Launch:
            return context_.builder.launchCall(event, dur, 0, launchIds_[launch]);
    }
}

void EventSink::keep(Track &track, Type type, const RawEvent &event, Ns dur, std::uint32_t launch) {
    track.begin = std::min(track.begin, event.ts);
    track.end = std::max(track.end, event.ts + dur);
    track.open += type == Type::Begin ? 1 : type == Type::End ? -1 : 0;
    PendingEvent pending;
    pending.key = track.index;
    pending.name = static_cast<std::uint32_t>(event.name.value);
    pending.category = static_cast<std::uint32_t>(event.category.value);
    pending.args = static_cast<std::uint32_t>(event.args.value);
    pending.ts = event.ts;
    pending.dur = dur;
    pending.offset = event.origin.offset;
    pending.type = type;
    pending.wholeArgs = event.wholeArgs;
    pending.launch = launch;
    events_.push(pending);
}

void EventSink::pass(Track &track, Type type, RawEvent event, Ns dur, std::uint32_t launch) {
    track.hasEvents = track.hasSlices = true;
    event.track = tracks_.direct(track);
    if (event.track.valid())
        send(type, event, dur, launch);
    else
        keep(track, type, event, dur, launch);
}

void EventSink::event(Track &track, Type type, RawEvent event, Ns dur) {
    pass(track, type, event, dur, 0);
}

void EventSink::launch(Track &track, RawEvent event, Ns dur, std::int64_t externalId) {
    launchIds_.push_back(externalId);
    pass(track, Type::Launch, event, dur, static_cast<std::uint32_t>(launchIds_.size() - 1));
}

void EventSink::flow(Track &track, RawFlow flow) {
    flow.track = tracks_.direct(track);
    if (flow.track.valid())
        return context_.builder.flow(flow);
    PendingFlow pending;
    pending.key = track.index;
    pending.name = static_cast<std::uint32_t>(flow.name.value);
    pending.category = static_cast<std::uint32_t>(flow.category.value);
    pending.ts = flow.ts;
    pending.flow = flow.key;
    pending.offset = flow.origin.offset;
    pending.phase = flow.phase;
    pending.binding = flow.binding;
    pending.loneStartIsNormal = flow.loneStartIsNormal;
    flows_.push(pending);
}

CounterId EventSink::counterOf(Track &track) {
    if (!track.counter)
        track.counter = std::make_unique<CounterTrack>();
    CounterTrack &counter = *track.counter;
    if (!counter.id.valid()) {
        TrackRow row;
        row.source = context_.source;
        row.kind = TrackKind::Counter;
        row.name = track.name;
        counter.row = context_.writer.addTrack(row);
        CounterRow own;
        own.source = context_.source;
        own.name = track.name;
        own.track = counter.row;
        counter.id = context_.writer.addCounter(own);
    }
    return counter.id;
}

void EventSink::sample(Track &track, Ns ts, double value, EventOrigin origin) {
    track.hasEvents = true;
    track.begin = std::min(track.begin, ts);
    if (track.counter && track.counter->described)
        context_.builder.sample(counterOf(track), ts, value * static_cast<double>(track.counter->multiplier),
                                origin);
    else
        samples_.push({track.index, ts, value, origin.offset});
}

Status EventSink::replayEvents() {
    if (auto status = events_.seal(context_.task.stop); !status)
        return status;
    for (const PendingEvent *pending = events_.peek(); pending; pending = events_.peek()) {
        RawEvent event;
        event.track = tracks_.direct(tracks_.all()[pending->key]);
        event.ts = pending->ts;
        event.name = StringId(pending->name);
        event.category = StringId(pending->category);
        event.args = ArgSetId(pending->args);
        event.origin = {pending->offset};
        event.wholeArgs = pending->wholeArgs;
        send(pending->type, event, pending->dur, pending->launch);
        events_.pop();
    }
    return events_.status();
}

Status EventSink::replayFlows() {
    if (auto status = flows_.seal(context_.task.stop); !status)
        return status;
    for (const PendingFlow *pending = flows_.peek(); pending; pending = flows_.peek()) {
        RawFlow flow;
        flow.track = tracks_.direct(tracks_.all()[pending->key]);
        flow.ts = pending->ts;
        flow.key = pending->flow;
        flow.name = StringId(pending->name);
        flow.category = StringId(pending->category);
        flow.phase = pending->phase;
        flow.binding = pending->binding;
        flow.loneStartIsNormal = pending->loneStartIsNormal;
        flow.origin = {pending->offset};
        if (flow.track.valid())
            context_.builder.flow(flow);
        flows_.pop();
    }
    return flows_.status();
}

Status EventSink::replaySamples() {
    if (auto status = samples_.seal(context_.task.stop); !status)
        return status;
    for (const PendingSample *pending = samples_.peek(); pending; pending = samples_.peek()) {
        Track &track = tracks_.all()[pending->key];
        const CounterId id = counterOf(track);
        context_.builder.sample(id, pending->ts, pending->value * static_cast<double>(track.counter->multiplier),
                                {pending->offset});
        samples_.pop();
    }
    return samples_.status();
}

Status EventSink::replay() {
    auto status = replayEvents();
    if (status)
        status = replayFlows();
    return status ? replaySamples() : status;
}

}  // namespace wattproof::importers::perfetto
