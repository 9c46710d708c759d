// Track events by their type: slices, instants, states, and the flows between them.
#include "importers/perfetto/track_event_module.h"

namespace wattproof::importers::perfetto {
namespace {

// Ids of flows are one for the whole trace; kept apart from those of old flow events.
std::uint64_t flowKey(std::uint64_t id) {
    return id * 0x9e3779b97f4a7c15ULL + 0x51ed270b;
}

}  // namespace

RawEvent TrackEventModule::raw(const Here &here, ArgSetId args) const {
    return {{}, here.ts, here.name, here.category, args, here.packet->origin};
}

void TrackEventModule::readArguments(const Here &here) {
    if (event_.arguments.empty())
        return annotations_.clear();
    annotations_.read(event_, here.packet->interned());
    const auto &damage = annotations_.damage();
    warn(*here.packet, "missing_interned", "Events refer to names that the trace does not hold.",
         damage.missingInterned);
    warn(*here.packet, "nonfinite_number", "Numbers that are none (NaN, Infinity) are kept as null.",
         damage.nonfinite);
    warn(*here.packet, "malformed_event", "Arguments nested more than 64 deep were cut there.", damage.tooDeep);
}

ArgSetId TrackEventModule::writeArguments(const Here &here) {
    readArguments(here);
    return annotations_.write();
}

void TrackEventModule::typed(const Here &here) {
    if (event_.type != TrackEventType::Counter && event_.type != TrackEventType::State)
        TrackTable::nameByEvent(*here.track, here.nameText);
    switch (event_.type) {
        case TrackEventType::Begin:
            return begin(here);
        case TrackEventType::End:
            return end(here);
        case TrackEventType::Instant:
            return instant(here);
        case TrackEventType::Counter:
            return counter(here);
        default:
            return state(here);
    }
}

void TrackEventModule::begin(const Here &here) {
    readArguments(here);
    const RawEvent event = raw(here, joiner_.begin(here.track->arguments, here.ts));
    if (event_.gpuCorrelation.empty())
        sink_.event(*here.track, EventSink::Type::Begin, event);
    else
        gpuCalls_.begin(*here.track, here.track->arguments->begins.size(), event, event_.gpuCorrelation,
                        here.packet->machine);
    flows(here, here.name);
    legacyBind(here);
}

void TrackEventModule::end(const Here &here) {
    readArguments(here);
    RawEvent event = raw(here, {});
    const std::size_t depth = here.track->arguments ? here.track->arguments->begins.size() : 0;
    event.args = joiner_.end(here.track->arguments, here.ts, event.wholeArgs);
    if (gpuCalls_.empty() || !gpuCalls_.end(*here.track, depth, event))
        sink_.event(*here.track, EventSink::Type::End, event);
    flows(here, here.name);
}

void TrackEventModule::instant(const Here &here) {
    const RawEvent event = raw(here, writeArguments(here));
    sink_.event(*here.track, EventSink::Type::Instant, event);
    if (!event_.gpuCorrelation.empty())
        gpuCalls_.instant(*here.track, event, event_.gpuCorrelation, here.packet->machine);
    flows(here, here.name);
    legacyBind(here);
}

// A state lasts until the next one of its track; one without a value only ends the one before.
void TrackEventModule::state(const Here &here) {
    if (here.track->open > 0) {
        RawEvent before = raw(here, {});
        before.name = {};
        sink_.event(*here.track, EventSink::Type::End, before);
    }
    if (here.name.valid())
        sink_.event(*here.track, EventSink::Type::Begin, raw(here, writeArguments(here)));
    flows(here, here.name);
}

void TrackEventModule::flows(const Here &here, StringId name) {
    for (const TrackEvent::Flow &each : event_.flows) {
        RawFlow flow;
        flow.ts = here.ts;
        flow.key = flowKey(each.id);
        flow.name = name;
        flow.category = here.category;
        flow.phase = each.terminates ? FlowPhase::Finish : FlowPhase::Touch;
        flow.binding = FlowBinding::OwnEvent;
        flow.origin = here.packet->origin;
        sink_.flow(*here.track, flow);
    }
}

}  // namespace wattproof::importers::perfetto
