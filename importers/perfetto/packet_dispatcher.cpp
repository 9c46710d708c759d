#include "importers/perfetto/packet_dispatcher.h"

#include "importers/perfetto/inflate.h"
#include "importers/trace/time_crowd.h"

namespace wattproof::importers::perfetto {
namespace {

// Field numbers beyond this are extensions; none is claimed by a module.
constexpr std::uint32_t kClaimable = 1024;
// Descriptors hold for the whole trace, whenever they were written.
constexpr std::uint32_t kTrackDescriptor = 60, kProcessDescriptor = 43, kThreadDescriptor = 44;
// Waiting packets are gone through again each time clocks were joined; a trace that keeps inventing clocks waits
// for its end.
constexpr std::size_t kMostReplays = 64;

Ns &clockTime(Sequence &sequence, ClockKey clock) {
    for (auto &[key, time] : sequence.clockTimes)
        if (key == clock)
            return time;
    return sequence.clockTimes.emplace_back(clock, 0).second;
}

}  // namespace

PacketDispatcher::PacketDispatcher(ImportContext &context)
    : context_(context), interns_(context.writer), byField_(kClaimable), unknown_(context.census.message("")) {}

void PacketDispatcher::add(std::unique_ptr<PacketModule> module) {
    for (const std::uint32_t field : module->fields())
        if (field < byField_.size() && !byField_[field])
            byField_[field] = module.get();
    for (const std::uint32_t field : module->internedFields())
        interns_.keep(field);
    modules_.push_back(std::move(module));
}

void PacketDispatcher::warn(std::string_view kind, std::string_view message, std::uint64_t offset) {
    context_.builder.warn(kind, message, {offset});
}

Status PacketDispatcher::take(const RawPacket &packet) {
    ++packets_;
    if (context_.task.cancelled())
        return cancelled();
    if (!decodePacket(packet.bytes, decoded_)) {
        warn("malformed_packet", "Packets whose fields are not well-formed were skipped.", packet.offset);
        return {};
    }
    if (decoded_.deflated.empty() && decoded_.zstd.empty())
        return takeDecoded(packet.bytes, packet.offset);
    return takeBundle(decoded_, packet.offset);
}

Status PacketDispatcher::takeBundle(const DecodedPacket &packet, std::uint64_t offset) {
    --packets_;  // it is none itself
    if (inBundle_) {
        warn("malformed_packet", "Compressed packets inside compressed packets were skipped.", offset);
        return {};
    }
    const auto status =
        packet.deflated.empty() ? unpackZstd(packet.zstd, bundle_) : inflatePackets(packet.deflated, bundle_);
    if (!status) {
        warn("malformed_packet", status.error().what, offset);
        return {};
    }
    inBundle_ = true;
    Message message(bundle_);
    Status result;
    for (Field field; result && message.next(field);)
        if (field.id == 1 && field.isBytes())
            result = take({field.bytes, offset});
    inBundle_ = false;
    if (message.damaged())
        warn("malformed_packet", "A packet of compressed packets is damaged: it was skipped.", offset);
    return result;
}

Sequence &PacketDispatcher::sequence(std::uint32_t id, std::uint32_t machine) {
    const std::uint64_t key = (std::uint64_t{machine} << 32U) | id;
    if (Sequence *const known = recentSequences_.find(key))
        return *known;
    Sequence &own = sequences_[key];
    own.id = id;
    own.machine = machine;
    recentSequences_.put(key, own);
    return own;
}

void PacketDispatcher::startState(Sequence &sequence) {
    auto state = std::make_shared<SequenceState>();
    state->generation = ++generations_;
    sequence.state = std::move(state);
}

// Whether the packet at hand may be used.
bool PacketDispatcher::followState(Sequence &sequence, std::uint64_t offset) {
    // The service marks the first packet of each sequence as if others had been lost before it.
    if (decoded_.dropped && sequence.seen) {
        warn("data_loss",
             "The recorder lost packets here; packets that need what the lost ones said were left out.", offset);
        sequence.valid = false;
        startState(sequence);
    }
    if (decoded_.cleared) {
        sequence.valid = true;
        startState(sequence);
    } else if (decoded_.first && !sequence.seen) {
        sequence.valid = true;
    }
    sequence.seen = true;
    if (!decoded_.needsState || sequence.valid)
        return true;
    warn("data_loss", "The recorder lost packets here; packets that need what the lost ones said were left out.",
         offset);
    return false;
}

void PacketDispatcher::readState(Sequence &sequence) {
    if (decoded_.internedData.empty() && !decoded_.hasDefaults)
        return;
    if (decoded_.hasDefaults || sequence.state->interned == emptyInterned()) {
        auto state = std::make_shared<SequenceState>(*sequence.state);
        if (state->interned == emptyInterned())
            state->interned = std::make_shared<Interned>();
        if (decoded_.hasDefaults)
            state->defaults = InternReader::readDefaults(decoded_.defaults);
        sequence.state = std::move(state);
    }
    if (!decoded_.internedData.empty())
        interns_.read(decoded_.internedData, *sequence.state->interned);
}

void PacketDispatcher::readSnapshot(Sequence &sequence) {
    std::uint32_t primary = 0;
    const auto all = perfetto::readSnapshot(decoded_.clockSnapshot, sequence.id, sequence.machine, primary);
    context_.clocks.addSnapshot(all);
    if (primary != 0 && sequence.machine == 0)
        context_.clocks.setTraceClock(clockKey(primary, sequence.id));
    for (const auto &reading : all)
        if (reading.incremental)
            if (const auto time = context_.clocks.toNs(reading.clock, reading.raw))
                clockTime(sequence, reading.clock) = *time;
}

void PacketDispatcher::readClockSync() {
    if (decoded_.machine != 0)
        for (const ClockPair &pair : perfetto::readClockSync(decoded_.clockSync, decoded_.machine))
            context_.clocks.addSnapshot(pair);
}

Status PacketDispatcher::readClocks(Sequence &sequence) {
    if (!decoded_.clockSnapshot.empty())
        readSnapshot(sequence);
    if (!decoded_.clockSync.empty())
        readClockSync();
    const bool read = !decoded_.clockSnapshot.empty() || !decoded_.clockSync.empty();
    return read ? replayJoined() : Status{};
}

Status PacketDispatcher::replayJoined() {
    const bool joined = context_.clocks.joins() > joinsSeen_;
    joinsSeen_ = context_.clocks.joins();
    if (!joined || waiting_.empty() || replays_ >= kMostReplays)
        return {};
    ++replays_;
    const DecodedPacket current = decoded_;
    auto status = replayWaiting(false);
    decoded_ = current;
    return status;
}

// The packet's time on its own clock. False when it cannot be told.
bool PacketDispatcher::readTime(Sequence &sequence, Note &note) {
    if (!decoded_.hasTimestamp)
        return true;
    const std::uint32_t clock = decoded_.clock != 0 ? decoded_.clock : sequence.state->defaults.clock;
    note.clock = clock == 0 ? ClockKey{0} : clockKey(clock, sequence.id, sequence.machine);
    auto time = context_.clocks.toNs(note.clock, decoded_.timestamp);
    if (time && context_.clocks.incremental(note.clock)) {
        Ns &last = clockTime(sequence, note.clock);
        time = __builtin_add_overflow(last, *time, &last) ? std::nullopt : std::optional(last);
    }
    if (!time || *time > kLargestTime) {
        warn("timestamp_overflow", "Packets whose time does not fit into 64 bits of nanoseconds were left out.",
             note.offset);
        return false;
    }
    note.clockTime = *time;
    note.hasTime = true;
    return true;
}

// Descriptors need no time of their own.
bool PacketDispatcher::needsTime() const {
    for (std::uint32_t i = 0; i < decoded_.payloadCount; ++i)
        if (const std::uint32_t id = decoded_.payloads[i].id;
            id != kTrackDescriptor && id != kProcessDescriptor && id != kThreadDescriptor)
            return true;
    return false;
}

Status PacketDispatcher::takeDecoded(std::string_view bytes, std::uint64_t offset) {
    Sequence &own = sequence(decoded_.sequence, decoded_.machine);
    if (!followState(own, offset))
        return {};
    readState(own);
    if (auto status = readClocks(own); !status)
        return status;
    Note note;
    note.offset = offset;
    note.sequence = own.id;
    if (needsTime() && !readTime(own, note))
        return {};
    if (decoded_.payloadCount == 0)
        return {};
    return dispatch(own, own.state, note, bytes, false);
}

// At the end of a trace: nothing says what a clock is to the trace's.
bool PacketDispatcher::assumeClock(ClockKey clock, std::uint32_t machine, std::uint64_t offset) {
    ClockTracker &clocks = context_.clocks;
    if (machine == 0) {
        // A trace with a single clock and no snapshot at all.
        if (!clocks.anySnapshot())
            clocks.setTraceClock(clock);
        return !clocks.anySnapshot();
    }
    if (!assumed_.insert(clock).second)
        return false;
    warn("unsynchronised_machine",
         "Nothing says how a clock of another machine relates to the recorder's: its times are shown as they are.",
         offset);
    const bool boots = clocks.convert(clock_id::kBoottime, clocks.traceClock(), 0).has_value();
    ClockPair pair;
    pair[0].clock = clock;
    pair[1].clock = boots ? ClockKey{clock_id::kBoottime} : clocks.traceClock();
    clocks.addSnapshot(pair);
    return true;
}

// False when the packet has to wait.
bool PacketDispatcher::placeInTime(const Note &note, Packet &packet, bool last) {
    packet.hasTime = note.hasTime;
    packet.ts = note.clockTime;
    if (!note.hasTime)
        return true;
    // Without a stated clock it is BOOTTIME; where nothing joins that to the trace's clock, it is the trace's.
    const ClockKey clock = note.clock == 0 ? machineClock(clock_id::kBoottime, packet.machine) : note.clock;
    auto time = context_.clocks.toTrace(clock, note.clockTime);
    if (!time && note.clock == 0 && packet.machine == 0)
        return true;
    if (!time && last && assumeClock(clock, packet.machine, note.offset))
        time = context_.clocks.toTrace(clock, note.clockTime);
    if (time)
        packet.ts = *time;
    return time.has_value();
}

Taken PacketDispatcher::offer(Packet &packet, Note &note) {
    for (; note.payload < decoded_.payloadCount; ++note.payload) {
        const Field &payload = decoded_.payloads[note.payload];
        PacketModule *module = payload.id < kClaimable ? byField_[payload.id] : nullptr;
        if (!module) {
            unknown_.count(payload.id, note.offset);
            continue;
        }
        if (module->take(packet, payload) == Taken::NeedsClock)
            return Taken::NeedsClock;
        ++understood_;
    }
    return Taken::Done;
}

Status PacketDispatcher::dispatch(Sequence &own, const std::shared_ptr<const SequenceState> &state, Note note,
                                  std::string_view bytes, bool last) {
    Packet packet;
    packet.bytes = bytes;
    packet.origin = {note.offset};
    packet.last = last;
    packet.machine = decoded_.machine;
    packet.trustedPid = decoded_.trustedPid;
    packet.sequence = &own;
    packet.state = state.get();
    // All that a machine says of its other clocks hangs on that one.
    if (const ClockKey boot = machineClock(clock_id::kBoottime, packet.machine);
        last && packet.machine != 0 && !context_.clocks.toTrace(boot, 0))
        static_cast<void>(assumeClock(boot, packet.machine, note.offset));
    const bool queued = own.waiting > 0 && !last;
    if (!queued && placeInTime(note, packet, last) && offer(packet, note) == Taken::Done)
        return {};
    if (last) {
        warn("unknown_clock", "Events on clocks that no snapshot joins to the trace's clock were left out.",
             note.offset);
        return {};
    }
    ++own.waiting;
    return waiting_.push(note, bytes, state);
}

Status PacketDispatcher::replayWaiting(bool last) {
    // Counted anew by those that have to go on waiting.
    for (auto &[id, each] : sequences_)
        each.waiting = 0;
    WaitingPackets old;
    std::swap(old, waiting_);
    return old.replay([&](const Note &note, std::string_view bytes) -> Status {
        if (context_.task.cancelled())
            return cancelled();
        if (!decodePacket(bytes, decoded_))
            return {};
        Sequence &own = sequence(note.sequence, decoded_.machine);
        return dispatch(own, old.state(note), note, bytes, last);
    });
}

Status PacketDispatcher::finish() {
    if (auto status = replayWaiting(true); !status)
        return status;
    for (const auto &module : modules_)
        if (auto status = module->finish(); !status)
            return status;
    return {};
}

}  // namespace wattproof::importers::perfetto
