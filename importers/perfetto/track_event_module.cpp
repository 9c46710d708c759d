#include "importers/perfetto/track_event_module.h"

#include "importers/text/mended.h"
#include "importers/trace/time_crowd.h"

namespace wattproof::importers::perfetto {
namespace {

enum PacketField : std::uint32_t {
    kTrackEvent = 11,
    kProcessDescriptor = 43,
    kThreadDescriptor = 44,
    kTrackDescriptor = 60
};

std::optional<Ns> fromUs(std::int64_t us) {
    Ns time = 0;
    if (__builtin_mul_overflow(us, std::int64_t{1000}, &time) || time > kLargestTime || time < -kLargestTime)
        return std::nullopt;
    return time;
}

}  // namespace

TrackEventModule::TrackEventModule(ImportContext &context)
    : context_(context),
      unknown_(context.census.message("track_event")),
      tracks_(context),
      sink_(context, tracks_),
      gpuCalls_(sink_, context.facts),
      annotations_(context.writer),
      joiner_(annotations_) {}

std::vector<std::uint32_t> TrackEventModule::fields() const {
    return {kTrackEvent, kTrackDescriptor, kProcessDescriptor, kThreadDescriptor};
}

void TrackEventModule::warn(const Packet &packet, std::string_view kind, std::string_view message,
                            std::uint32_t count) {
    if (count > 0)
        context_.builder.warn(kind, message, packet.origin, count);
}

Taken TrackEventModule::take(const Packet &packet, const Field &payload) {
    if (!payload.isBytes())
        return Taken::Done;
    switch (payload.id) {
        case kTrackEvent:
            return takeEvent(packet, payload.bytes);
        case kTrackDescriptor:
            tracks_.describe(packet, payload.bytes);
            break;
        case kProcessDescriptor:
            tracks_.describeOldProcess(packet, payload.bytes);
            break;
        default:
            tracks_.describeOldThread(packet, payload.bytes);
            break;
    }
    return Taken::Done;
}

Taken TrackEventModule::takeEvent(const Packet &packet, std::string_view bytes) {
    const auto unknown = [&](std::uint32_t field) { unknown_.count(field, packet.origin.offset); };
    if (!decodeTrackEvent(bytes, event_, unknown)) {
        warn(packet, "malformed_packet", "Packets whose fields are not well-formed were skipped.");
        return Taken::Done;
    }
    Ns ts = 0;
    bool wait = false;
    if (!readTime(packet, ts, wait))
        return wait ? Taken::NeedsClock : Taken::Done;
    Here here;
    resolve(packet, ts, here);
    if (event_.type != TrackEventType::Unspecified)
        typed(here);
    else if (event_.hasLegacy && event_.legacy.phase != 0)
        legacy(here);
    else
        warn(packet, "missing_field", "Track events without a type were left out.");
    extraCounters(here);
    threadCounters(here);
    return Taken::Done;
}

// Old times are on CLOCK_MONOTONIC; where nothing joins that to the trace's clock, they are taken as they are.
std::optional<Ns> TrackEventModule::oldTime(const Packet &packet, std::int64_t us, bool &wait) {
    const auto time = fromUs(us);
    if (!time) {
        warn(packet, "timestamp_overflow",
             "Events whose time or length does not fit into 64 bits of nanoseconds were left out.");
        return std::nullopt;
    }
    if (const auto placed = context_.clocks.toTrace(machineClock(clock_id::kMonotonic, packet.machine), *time))
        return placed;
    wait = !packet.last;
    return wait ? std::nullopt : time;
}

bool TrackEventModule::readTime(const Packet &packet, Ns &ts, bool &wait) {
    std::optional<Ns> time;
    Sequence &sequence = *packet.sequence;
    if (event_.absoluteUs) {
        time = oldTime(packet, *event_.absoluteUs, wait);
    } else if (event_.deltaUs && sequence.hasReference) {
        std::int64_t us = 0;
        if (__builtin_add_overflow(sequence.referenceUs, *event_.deltaUs, &us))
            us = std::numeric_limits<std::int64_t>::max();
        time = oldTime(packet, us, wait);
        if (!wait)
            sequence.referenceUs = us;
    } else if (packet.hasTime) {
        time = packet.ts;
    } else {
        warn(packet, "missing_field", "Track events without a time were left out.");
    }
    ts = time.value_or(0);
    return time.has_value();
}

void TrackEventModule::resolve(const Packet &packet, Ns ts, Here &here) {
    here.packet = &packet;
    here.ts = ts;
    resolveTrack(packet, here);
    resolveName(packet, here);
    here.category = categoryOf(packet);
}

// Events of old instrumentation belong to the thread of their sequence unless they name a track.
void TrackEventModule::resolveTrack(const Packet &packet, Here &here) {
    const auto &stated = event_.track ? event_.track : packet.state->defaults.track;
    Thread *own = packet.sequence->thread;
    const bool ofThread = own && (!stated || (*stated == 0 && event_.hasLegacy));
    here.track = ofThread ? &tracks_.of(*own) : &tracks_.track(stated.value_or(0));
    here.thread = here.track->thread ? here.track->thread : own;
    if (event_.hasLegacy)
        resolveOverride(here);
}

void TrackEventModule::resolveOverride(Here &here) {
    const LegacyEvent &legacy = event_.legacy;
    if (!legacy.pid && !legacy.tid)
        return;
    const std::int64_t pid = legacy.pid ? *legacy.pid : here.thread ? here.thread->process->pid : 0;
    here.thread = &context_.places.thread(pid, legacy.tid.value_or(pid), here.packet->machine);
    here.track = &tracks_.of(*here.thread);
}

void TrackEventModule::resolveName(const Packet &packet, Here &here) {
    const std::uint64_t iid = event_.nameIid != 0 ? event_.nameIid : event_.legacy.nameIid;
    if (iid != 0) {
        const InternedName *name = packet.interned().eventNames.find(iid);
        warn(packet, "missing_interned", "Events refer to names that the trace does not hold.", name ? 0 : 1);
        here.name = name ? name->id : StringId();
        here.nameText = name ? std::string_view(name->text) : std::string_view();
    } else if (!event_.name.empty()) {
        here.nameText = mended(event_.name, nameScratch_);
        here.name = context_.writer.intern(here.nameText);
    }
}

// Several categories are one text, with commas between, as Chrome's format has them.
StringId TrackEventModule::categoryOf(const Packet &packet) {
    const auto &table = packet.interned().categories;
    if (event_.categories.empty() && event_.categoryIids.size() == 1)
        if (const InternedName *only = table.find(event_.categoryIids.front()))
            return only->id;
    scratch_.clear();
    const auto append = [this](std::string_view text) {
        if (!scratch_.empty())
            scratch_ += ',';
        scratch_ += text;
    };
    for (const std::uint64_t iid : event_.categoryIids) {
        const InternedName *name = table.find(iid);
        warn(packet, "missing_interned", "Events refer to names that the trace does not hold.", name ? 0 : 1);
        if (name)
            append(name->text);
    }
    for (const std::string_view category : event_.categories)
        append(mended(category, categoryScratch_));
    return scratch_.empty() ? StringId() : context_.writer.intern(scratch_);
}

Status TrackEventModule::finish() {
    gpuCalls_.finish();
    TrackLayout layout(context_, tracks_);
    layout.place();
    auto status = sink_.replay();
    layout.placeCounters();
    layout.describe();
    return status;
}

}  // namespace wattproof::importers::perfetto
