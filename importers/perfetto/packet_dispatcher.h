// Follows the state of each packet sequence, gives packets their time and hands them to the module that claims
// them.
#pragma once

#include "importers/perfetto/clock_snapshot.h"
#include "importers/perfetto/intern_reader.h"
#include "importers/perfetto/packet_decoder.h"
#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/packet_stream.h"
#include "importers/perfetto/recent.h"
#include "importers/perfetto/waiting_packets.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wattproof::importers::perfetto {

class PacketDispatcher {
public:
    explicit PacketDispatcher(ImportContext &context);

    // Modules are asked in the order in which they were added; the first to claim a field has it.
    void add(std::unique_ptr<PacketModule>);

    [[nodiscard]] Status take(const RawPacket &);
    // After the last packet: what waited for a clock, then the modules' own ends.
    [[nodiscard]] Status finish();

    [[nodiscard]] std::int64_t packets() const { return packets_; }
    [[nodiscard]] std::int64_t understood() const { return understood_; }

private:
    using Note = WaitingPackets::Note;

    [[nodiscard]] Status takeBundle(const DecodedPacket &, std::uint64_t offset);
    [[nodiscard]] Status takeDecoded(std::string_view bytes, std::uint64_t offset);
    [[nodiscard]] Sequence &sequence(std::uint32_t id, std::uint32_t machine);
    [[nodiscard]] bool followState(Sequence &, std::uint64_t offset);
    void startState(Sequence &);
    void readState(Sequence &);
    [[nodiscard]] Status readClocks(Sequence &);
    void readSnapshot(Sequence &);
    void readClockSync();
    [[nodiscard]] Status replayJoined();
    [[nodiscard]] bool assumeClock(ClockKey, std::uint32_t machine, std::uint64_t offset);
    [[nodiscard]] Status dispatch(Sequence &, const std::shared_ptr<const SequenceState> &, Note,
                                  std::string_view bytes, bool last);
    [[nodiscard]] Taken offer(Packet &, Note &);
    [[nodiscard]] bool needsTime() const;
    [[nodiscard]] bool readTime(Sequence &, Note &);
    [[nodiscard]] bool placeInTime(const Note &, Packet &, bool last);
    [[nodiscard]] Status replayWaiting(bool last);
    void warn(std::string_view kind, std::string_view message, std::uint64_t offset);

    ImportContext &context_;
    InternReader interns_;
    std::vector<std::unique_ptr<PacketModule>> modules_;
    std::vector<PacketModule *> byField_;
    FieldCensus::Message &unknown_;
    std::unordered_map<std::uint64_t, Sequence> sequences_;  // by machine and id
    Recent<Sequence> recentSequences_;
    DecodedPacket decoded_;
    std::unordered_set<ClockKey> assumed_;  // clocks of other machines that nothing joins to the recorder's
    WaitingPackets waiting_;
    std::size_t joinsSeen_ = 0, replays_ = 0;
    std::uint64_t generations_ = 0;
    std::string bundle_;
    bool inBundle_ = false;
    std::int64_t packets_ = 0, understood_ = 0;
};

}  // namespace wattproof::importers::perfetto
