#include "importers/perfetto/track_table.h"

#include "importers/text/mended.h"

namespace wattproof::importers::perfetto {
namespace {

// Fields of TrackDescriptor (protos/perfetto/trace/track_event/track_descriptor.proto).
enum DescriptorField : std::uint32_t {
    kUuid = 1,
    kName = 2,
    kProcess = 3,
    kThread = 4,
    kParent = 5,
    kChromeProcess = 6,
    kChromeThread = 7,
    kCounter = 8,
    kDisallowMerging = 9,
    kStaticName = 10,
    kChildOrder = 11,
    kRank = 12,
    kAtraceName = 13,
    kDescription = 14,
    kMerge = 15,
    kMergeKey = 16,
    kMergeKeyInt = 17,
    kState = 18
};

constexpr std::size_t kLongestDescription = 4096;

template <class Enum>
Enum bounded(std::uint64_t number, Enum last) {
    return number <= static_cast<std::uint64_t>(last) ? static_cast<Enum>(number) : Enum{};
}

std::string unitWord(std::uint64_t unit) {
    switch (unit) {
        case 1:
            return "ns";
        case 2:
            return "1";
        case 3:
            return "B";
        default:
            return {};
    }
}

std::string_view builtInName(CounterTrack::BuiltIn type) {
    switch (type) {
        case CounterTrack::BuiltIn::ThreadTime:
            return "thread_time";
        case CounterTrack::BuiltIn::ThreadInstructions:
            return "thread_instruction_count";
        default:
            return {};
    }
}

}  // namespace

// The members of a descriptor that are looked at after all of it was read.
struct TrackTable::Described {
    std::uint64_t uuid = 0, parent = 0;
    std::string_view name, thread, process, counter, mergeKey, description;
    bool hasThread = false, hasProcess = false, hasCounter = false, hasParent = false, hasRank = false;
    ChildOrder childOrder = ChildOrder::Unknown;
    SiblingMerge merge = SiblingMerge::Unspecified;
    std::string mergeNumber;
    std::int32_t rank = 0;

    void take(const Field &field, FieldCensus &census, std::uint64_t offset) {
        switch (field.id) {
            case kUuid:
                uuid = field.number;
                break;
            case kParent:
                parent = field.number;
                hasParent = true;
                break;
            case kName:
            case kStaticName:
            case kAtraceName:
                name = field.isBytes() ? field.bytes : name;
                break;
            case kProcess:
                process = field.bytes;
                hasProcess = field.isBytes();
                break;
            case kThread:
                thread = field.bytes;
                hasThread = field.isBytes();
                break;
            case kCounter:
                counter = field.bytes;
                hasCounter = field.isBytes();
                break;
            case kChildOrder:
                childOrder = bounded(field.number, ChildOrder::Explicit);
                break;
            case kDescription:
                description = field.isBytes() ? field.bytes : description;
                break;
            case kRank:
                rank = static_cast<std::int32_t>(field.number);
                hasRank = true;
                break;
            case kMerge:
                merge = bounded(field.number, SiblingMerge::ByKey);
                break;
            case kMergeKey:
                mergeKey = field.bytes;
                break;
            case kMergeKeyInt:
                mergeNumber = "#" + std::to_string(field.number);
                break;
            case kDisallowMerging:
            case kState:
                break;
            default:
                census.count("track_descriptor", field.id, offset);
        }
    }
};

Track &TrackTable::add(std::uint64_t uuid) {
    Track &track = tracks_.emplace_back();
    track.uuid = uuid;
    track.index = static_cast<std::uint32_t>(tracks_.size() - 1);
    return track;
}

Track *TrackTable::find(std::uint64_t uuid) {
    const auto found = byUuid_.find(uuid);
    return found == byUuid_.end() ? nullptr : found->second;
}

Track &TrackTable::track(std::uint64_t uuid) {
    if (Track *const met = recent_.find(uuid))
        return *met;
    Track *&known = byUuid_[uuid];
    if (!known)
        known = &add(uuid);
    recent_.put(uuid, *known);
    return *known;
}

Track &TrackTable::of(Thread &thread) {
    Track *&known = byThread_[&thread];
    if (!known) {
        known = &add(0);
        known->role = TrackRole::Thread;
        known->thread = &thread;
    }
    return *known;
}

Track &TrackTable::of(Process &process) {
    Track *&known = byProcess_[&process];
    if (!known) {
        known = &add(0);
        known->role = TrackRole::Process;
        known->process = &process;
    }
    return *known;
}

TrackId TrackTable::direct(Track &track) {
    if (!track.id.valid()) {
        if (track.role == TrackRole::Thread)
            track.id = context_.places.trackOf(*track.thread);
        else if (track.role == TrackRole::Process)
            track.id = context_.places.trackOf(*track.process);
    }
    return track.id;
}

void TrackTable::describeProcess(const Packet &packet, Track &track, std::string_view bytes) {
    std::int64_t pid = 0;
    std::string_view name;
    std::string command, labels;
    std::optional<std::int64_t> order;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            pid = static_cast<std::int32_t>(field.number);
        else if (field.id == 2)
            command += (command.empty() ? "" : " ") + std::string(field.bytes);
        else if (field.id == 3)
            order = static_cast<std::int32_t>(field.number);
        else if (field.id == 6)
            name = field.bytes;
        else if (field.id == 8)
            labels += (labels.empty() ? "" : ",") + std::string(field.bytes);
    }
    Process &process = track.uuid == 0 ? context_.places.process(pid, packet.machine)
                                       : context_.places.described(pid, packet.machine, track.uuid);
    track.process = &process;
    track.role = TrackRole::Process;
    if (const std::string_view said = !name.empty()        ? name
                                      : track.name.empty() ? command
                                                           : track.name;
        !said.empty())
        process.row.name = mendedText(said);
    if (!labels.empty())
        process.row.labels = mendedText(labels);
    if (order)
        process.row.sortIndex = order;
}

void TrackTable::describeThread(const Packet &packet, Track &track, std::string_view bytes) {
    std::int64_t pid = 0, tid = 0;
    std::string_view name;
    std::optional<std::int64_t> order, reference;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            pid = static_cast<std::int32_t>(field.number);
        else if (field.id == 2)
            tid = static_cast<std::int32_t>(field.number);
        else if (field.id == 3)
            order = static_cast<std::int32_t>(field.number);
        else if (field.id == 5)
            name = field.bytes;
        else if (field.id == 6)
            reference = field.integer();
    }
    Thread &thread = track.uuid == 0 ? context_.places.thread(pid, tid, packet.machine)
                                     : context_.places.described(pid, tid, packet.machine, track.uuid);
    track.thread = &thread;
    track.role = TrackRole::Thread;
    if (const std::string_view said = name.empty() ? std::string_view(track.name) : name; !said.empty())
        thread.row.name = mendedText(said);
    if (order)
        thread.row.sortIndex = order;
    // The sequence is that thread's, for events that name no track.
    packet.sequence->thread = &thread;
    if (reference) {
        packet.sequence->hasReference = true;
        packet.sequence->referenceUs = *reference;
    }
}

void TrackTable::describeOldThread(const Packet &packet, std::string_view bytes) {
    Track unnamed;
    describeThread(packet, unnamed, bytes);
}

void TrackTable::describeOldProcess(const Packet &packet, std::string_view bytes) {
    Track unnamed;
    describeProcess(packet, unnamed, bytes);
}

void TrackTable::describeCounter(Track &track, std::string_view bytes) {
    track.role = TrackRole::Counter;
    if (!track.counter)
        track.counter = std::make_unique<CounterTrack>();
    CounterTrack &counter = *track.counter;
    counter.described = true;
    std::string_view unitName;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            counter.builtIn = bounded(field.number, CounterTrack::BuiltIn::ThreadInstructions);
        else if (field.id == 3)
            counter.unit = unitWord(field.number);
        else if (field.id == 4)
            counter.multiplier = field.integer();
        else if (field.id == 5)
            counter.incremental = field.truth();
        else if (field.id == 6)
            unitName = field.bytes;
    }
    if (!unitName.empty())
        counter.unit = mendedText(unitName);
    else if (counter.unit.empty() && counter.builtIn == CounterTrack::BuiltIn::ThreadTime)
        counter.unit = "ns";
    if (track.name.empty())
        track.name = builtInName(counter.builtIn);
}

void TrackTable::describe(const Packet &packet, std::string_view bytes) {
    Described own;
    Message message(bytes);
    for (Field field; message.next(field);)
        own.take(field, context_.census, packet.origin.offset);
    Track &track = this->track(own.uuid);
    // The name that its first event met stays.
    if (!own.name.empty() && (track.name.empty() || !track.hasEvents))
        track.name = mendedText(own.name);
    if (own.hasParent && own.parent != own.uuid)
        track.parent = own.parent;
    if (own.childOrder != ChildOrder::Unknown)
        track.childOrder = own.childOrder;
    if (own.merge != SiblingMerge::Unspecified)
        track.merge = own.merge;
    if (!own.mergeKey.empty() || !own.mergeNumber.empty())
        track.mergeKey = own.mergeKey.empty() ? own.mergeNumber : std::string(own.mergeKey);
    if (own.hasRank)
        track.rank = own.rank;
    if (own.hasThread)
        describeThread(packet, track, own.thread);
    else if (own.hasProcess)
        describeProcess(packet, track, own.process);
    else if (own.hasCounter)
        describeCounter(track, own.counter);
    else if (track.role == TrackRole::Undescribed)
        track.role = TrackRole::Named;
    if (!own.description.empty())
        track.description = mendedText(own.description.substr(0, kLongestDescription));
    if (own.hasRank && track.thread)
        track.thread->row.sortIndex = own.rank;
    else if (own.hasRank && track.process)
        track.process->row.sortIndex = own.rank;
}

}  // namespace wattproof::importers::perfetto
