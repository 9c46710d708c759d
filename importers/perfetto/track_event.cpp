#include "importers/perfetto/track_event.h"

namespace wattproof::importers::perfetto {
namespace {

// Fields of TrackEvent (protos/perfetto/trace/track_event/track_event.proto).
enum EventField : std::uint32_t {
    kDeltaUs = 1,
    kThreadDeltaUs = 2,
    kCategoryIids = 3,
    kLegacy = 6,
    kInstructionsDelta = 8,
    kType = 9,
    kNameIid = 10,
    kTrack = 11,
    kExtraCounts = 12,
    kAbsoluteUs = 16,
    kThreadAbsoluteUs = 17,
    kInstructionsAbsolute = 20,
    kCategories = 22,
    kName = 23,
    kCount = 30,
    kExtraCounters = 31,
    kFlowsOld = 36,
    kTerminatingFlowsOld = 42,
    kValue = 44,
    kExtraDoubleCounters = 45,
    kExtraValues = 46,
    kFlows = 47,
    kTerminatingFlows = 48,
    kGpuCorrelation = 3000
};

template <class Enum>
Enum bounded(std::uint64_t number, Enum last) {
    return number <= static_cast<std::uint64_t>(last) ? static_cast<Enum>(number) : Enum{};
}

void takeId(LegacyEvent &legacy, LegacyEvent::Id kind, std::uint64_t id) {
    legacy.idKind = kind;
    legacy.id = id;
}

void takeLegacyField(const Field &field, LegacyEvent &legacy) {
    switch (field.id) {
        case 1:
            legacy.nameIid = field.number;
            break;
        case 2:
            legacy.phase = field.number < 0x80 ? static_cast<char>(field.number) : '\0';
            break;
        case 3:
            legacy.durationUs = field.integer();
            break;
        case 6:
            return takeId(legacy, LegacyEvent::Id::Unscoped, field.number);
        case 10:
            return takeId(legacy, LegacyEvent::Id::Local, field.number);
        case 11:
            return takeId(legacy, LegacyEvent::Id::Global, field.number);
        case 7:
            legacy.idScope = field.bytes;
            break;
        case 8:
            legacy.bindId = field.number;
            break;
        case 12:
            legacy.bindToEnclosing = field.truth();
            break;
        case 13:
            legacy.flow = bounded(field.number, LegacyEvent::Flow::InOut);
            break;
        case 14:
            legacy.scope = bounded(field.number, LegacyEvent::Scope::Thread);
            break;
        case 18:
            legacy.pid = static_cast<std::int32_t>(field.number);
            break;
        case 19:
            legacy.tid = static_cast<std::int32_t>(field.number);
            break;
        default:
            break;  // thread durations and the like have no place here
    }
}

void takeLegacy(std::string_view bytes, TrackEvent &event) {
    event.hasLegacy = true;
    Message message(bytes);
    for (Field field; message.next(field);)
        takeLegacyField(field, event.legacy);
}

void takeFlows(const Field &field, TrackEvent &event, bool terminates) {
    if (field.id == kFlows || field.id == kTerminatingFlows)
        eachFixed<std::uint64_t>(field, [&](std::uint64_t id) { event.flows.push_back({id, terminates}); });
    else
        eachNumber(field, [&](std::uint64_t id) { event.flows.push_back({id, terminates}); });
}

bool takeCounterField(const Field &field, TrackEvent &event) {
    switch (field.id) {
        case kCount:
            event.count = field.integer();
            return true;
        case kValue:
            event.value = field.real();
            return true;
        case kExtraCounts:
            eachNumber(field,
                       [&](std::uint64_t count) { event.counts.push_back(static_cast<std::int64_t>(count)); });
            return true;
        case kExtraCounters:
            event.ownCounters = true;
            eachNumber(field, [&](std::uint64_t uuid) { event.counters.push_back(uuid); });
            return true;
        case kExtraDoubleCounters:
            event.ownDoubleCounters = true;
            eachNumber(field, [&](std::uint64_t uuid) { event.doubleCounters.push_back(uuid); });
            return true;
        case kExtraValues:
            eachFixed<std::uint64_t>(
                field, [&](std::uint64_t bits) { event.values.push_back(std::bit_cast<double>(bits)); });
            return true;
        default:
            return false;
    }
}

bool takeOldTime(const Field &field, TrackEvent &event) {
    switch (field.id) {
        case kDeltaUs:
            event.deltaUs = field.integer();
            return true;
        case kAbsoluteUs:
            event.absoluteUs = field.integer();
            return true;
        case kThreadDeltaUs:
            event.threadDeltaUs = field.integer();
            return true;
        case kThreadAbsoluteUs:
            event.threadAbsoluteUs = field.integer();
            return true;
        case kInstructionsDelta:
            event.instructionsDelta = field.integer();
            return true;
        case kInstructionsAbsolute:
            event.instructionsAbsolute = field.integer();
            return true;
        default:
            return false;
    }
}

bool isArgument(const Field &field) {
    switch (field.id) {
        case event_argument::kDebugAnnotation:
        case event_argument::kTaskExecution:
        case event_argument::kLogMessage:
        case event_argument::kSourceLocation:
        case event_argument::kCorrelationText:
        case event_argument::kInlineCallstack:
            return field.isBytes();
        case event_argument::kSourceLocationIid:
        case event_argument::kCorrelationId:
            return !field.isBytes();
        default:
            return false;
    }
}

}  // namespace

void TrackEvent::clear() {
    type = TrackEventType::Unspecified;
    nameIid = 0;
    name = {};
    track.reset();
    categoryIids.clear();
    categories.clear();
    arguments.clear();
    flows.clear();
    gpuCorrelation = {};
    count.reset();
    value.reset();
    ownCounters = ownDoubleCounters = false;
    counters.clear();
    doubleCounters.clear();
    counts.clear();
    values.clear();
    deltaUs = absoluteUs = threadDeltaUs = threadAbsoluteUs = instructionsDelta = instructionsAbsolute =
        std::nullopt;
    if (hasLegacy)
        legacy = {};
    hasLegacy = false;
}

bool takeTrackEventField(const Field &field, TrackEvent &event) {
    switch (field.id) {
        case kType:
            event.type = bounded(field.number, TrackEventType::State);
            return true;
        case kTrack:
            event.track = field.number;
            return true;
        case kNameIid:
            event.nameIid = field.number;
            return true;
        case kName:
            event.name = field.bytes;
            return field.isBytes();
        case kCategoryIids:
            eachNumber(field, [&](std::uint64_t iid) { event.categoryIids.push_back(iid); });
            return true;
        case kCategories:
            event.categories.push_back(field.bytes);
            return field.isBytes();
        case kLegacy:
            takeLegacy(field.bytes, event);
            return true;
        case kFlows:
        case kFlowsOld:
            takeFlows(field, event, false);
            return true;
        case kTerminatingFlows:
        case kTerminatingFlowsOld:
            takeFlows(field, event, true);
            return true;
        case kGpuCorrelation:
            event.gpuCorrelation = field.bytes;
            return field.isBytes();
        default:
            break;
    }
    if (isArgument(field)) {
        event.arguments.push_back(field);
        return true;
    }
    return takeCounterField(field, event) || takeOldTime(field, event);
}

}  // namespace wattproof::importers::perfetto
