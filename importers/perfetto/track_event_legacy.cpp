// Events of old instrumentation: they bear a phase of the Chrome format, and mean what it means there.
#include "importers/perfetto/track_event_module.h"
#include "importers/trace/time_crowd.h"

#include <algorithm>

namespace wattproof::importers::perfetto {
namespace {

std::uint64_t combine(std::uint64_t hash, std::uint64_t own) {
    return (hash ^ own) * 0x9e3779b97f4a7c15ULL + (hash >> 29U);
}

std::uint64_t combine(std::uint64_t hash, std::string_view text) {
    return combine(hash, std::hash<std::string_view>{}(text));
}

}  // namespace

void TrackEventModule::legacy(const Here &here) {
    switch (event_.legacy.phase) {
        case 'B':
            TrackTable::nameByEvent(*here.track, here.nameText);
            return begin(here);
        case 'E':
            return end(here);
        case 'X':
            return legacyComplete(here);
        case 'i':
        case 'I':
        case 'R':
            return legacyInstant(here);
        case 'b':
        case 'S':
        case 'e':
        case 'F':
        case 'n':
        case 'T':
        case 'p':
            return legacyAsync(here);
        case 's':
            return legacyFlow(here, FlowPhase::Start);
        case 't':
            return legacyFlow(here, FlowPhase::Step);
        case 'f':
            return legacyFlow(here, FlowPhase::End);
        default:
            context_.census.count("track_event.legacy_event.phase",
                                  static_cast<unsigned char>(event_.legacy.phase), here.packet->origin.offset);
    }
}

void TrackEventModule::legacyComplete(const Here &here) {
    Ns dur = 0;
    const std::int64_t us = event_.legacy.durationUs.value_or(0);
    if (us < 0) {
        warn(*here.packet, "negative_duration", "Events that end before they start are kept with length 0.");
    } else if (__builtin_mul_overflow(us, std::int64_t{1000}, &dur) || dur > kLargestTime - here.ts) {
        warn(*here.packet, "timestamp_overflow",
             "Events whose time or length does not fit into 64 bits of nanoseconds were left out.");
        return;
    }
    TrackTable::nameByEvent(*here.track, here.nameText);
    sink_.event(*here.track, EventSink::Type::Complete, raw(here, writeArguments(here)), dur);
    flows(here, here.name);
    legacyBind(here);
}

void TrackEventModule::legacyInstant(const Here &here) {
    Here own = here;
    if (event_.legacy.scope == LegacyEvent::Scope::Global) {
        own.track = &tracks_.global();
    } else if (event_.legacy.scope == LegacyEvent::Scope::Process && here.thread) {
        // The process that has the id now: it may have begun after the thread was described.
        const Process &known = *here.thread->process;
        own.track = &tracks_.of(context_.places.process(known.pid, known.machine));
    }
    TrackTable::nameByEvent(*own.track, own.nameText);
    instant(own);
}

std::uint64_t TrackEventModule::legacyId(const Here &here) const {
    const LegacyEvent &legacy = event_.legacy;
    std::uint64_t hash = combine(1, static_cast<std::uint64_t>(here.category.value));
    hash = combine(hash, legacy.idScope);
    if (legacy.idKind == LegacyEvent::Id::Local && here.thread)
        hash = combine(hash, static_cast<std::uint64_t>(here.thread->process->row.id.value));
    return combine(hash, legacy.id);
}

// One track for all of a name in a process, as in traces of the Chrome format.
TrackId TrackEventModule::asyncTrack(const Here &here) {
    const ProcessId process = here.thread ? here.thread->process->row.id : ProcessId();
    scratch_ = std::to_string(process.value) + ' ' + std::to_string(here.category.value) + ' ' +
               std::to_string(here.name.value);
    TrackId &track = asyncTracks_[scratch_];
    if (!track.valid()) {
        TrackRow row;
        row.source = context_.source;
        row.kind = TrackKind::Async;
        row.process = process;
        row.name = here.nameText;
        track = context_.writer.addTrack(row);
    }
    return track;
}

std::uint64_t TrackEventModule::named(std::uint64_t id, StringId name) {
    return combine(id, static_cast<std::uint64_t>(name.value));
}

AsyncKey TrackEventModule::openAsync(const Here &here) {
    const std::uint64_t id = legacyId(here);
    auto &open = asyncOpen_[id];
    open.push_back(named(id, here.name));
    return {open.back()};
}

// An end without a name closes what was begun last with its id.
AsyncKey TrackEventModule::closeAsync(const Here &here) {
    const std::uint64_t id = legacyId(here);
    const auto found = asyncOpen_.find(id);
    if (found == asyncOpen_.end())
        return {named(id, here.name)};
    std::vector<std::uint64_t> &open = found->second;
    const std::uint64_t key = here.name.valid() ? named(id, here.name) : open.back();
    if (const auto last = std::find(open.rbegin(), open.rend(), key); last != open.rend())
        open.erase(std::next(last).base());
    if (open.empty())
        asyncOpen_.erase(found);
    return {key};
}

void TrackEventModule::legacyAsync(const Here &here) {
    readArguments(here);
    RawEvent event = raw(here, {});
    const char phase = event_.legacy.phase;
    if (phase == 'b' || phase == 'S') {
        event.track = asyncTrack(here);
        const AsyncKey key = openAsync(here);
        event.args = joiner_.begin(asyncArguments_[key.hash], here.ts);
        context_.builder.asyncBegin(event, key);
    } else if (phase == 'e' || phase == 'F') {
        const AsyncKey key = closeAsync(here);
        const auto open = asyncArguments_.find(key.hash);
        if (open == asyncArguments_.end())
            event.args = annotations_.write();
        else
            event.args = joiner_.end(open->second, here.ts, event.wholeArgs);
        if (open != asyncArguments_.end() && open->second->begins.empty())
            asyncArguments_.erase(open);
        context_.builder.asyncEnd(event, key);
    } else {
        event.track = asyncTrack(here);
        event.args = annotations_.write();
        context_.builder.asyncInstant(event, {legacyId(here)});
    }
}

void TrackEventModule::legacyFlow(const Here &here, FlowPhase phase) {
    RawFlow flow;
    flow.ts = here.ts;
    flow.key = combine(named(legacyId(here), here.name), std::string_view("flow"));
    flow.name = here.name;
    flow.category = here.category;
    flow.phase = phase;
    flow.binding = phase == FlowPhase::End && !event_.legacy.bindToEnclosing ? FlowBinding::NextSlice
                                                                             : FlowBinding::EnclosingSlice;
    flow.origin = here.packet->origin;
    sink_.flow(*here.track, flow);
}

// The newer form of old flows: slices that say themselves that one leaves or enters them.
void TrackEventModule::legacyBind(const Here &here) {
    if (!event_.hasLegacy || !event_.legacy.bindId || event_.legacy.flow == LegacyEvent::Flow::None)
        return;
    RawFlow flow;
    flow.ts = here.ts;
    flow.key = combine(combine(2, std::string_view("bind_id")), *event_.legacy.bindId);
    flow.name = here.name;
    flow.category = here.category;
    flow.phase = event_.legacy.flow == LegacyEvent::Flow::Out  ? FlowPhase::Start
                 : event_.legacy.flow == LegacyEvent::Flow::In ? FlowPhase::End
                                                               : FlowPhase::Step;
    flow.binding = FlowBinding::OwnEvent;
    flow.origin = here.packet->origin;
    sink_.flow(*here.track, flow);
}

}  // namespace wattproof::importers::perfetto
