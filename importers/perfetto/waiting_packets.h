// Packets that wait for a clock snapshot, in the order of the file, in memory and then in a temporary file.
#pragma once

#include "importers/perfetto/sequence.h"
#include "importers/trace/spill_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace wattproof::importers::perfetto {

class WaitingPackets {
public:
    // What was worked out when the packet was met.
    struct Note {
        std::uint64_t offset = 0, size = 0;
        Ns clockTime = 0;  // on its clock, incremental times added up
        ClockKey clock = 0;
        std::uint32_t sequence = 0, state = 0;
        std::uint32_t payload = 0;  // the first of its payloads that was not taken
        bool hasTime = false;
    };
    using Replay = std::function<Status(const Note &, std::string_view bytes)>;

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] Status push(Note, std::string_view bytes, const std::shared_ptr<const SequenceState> &);
    [[nodiscard]] const std::shared_ptr<const SequenceState> &state(const Note &note) const {
        return states_[note.state];
    }
    // Hands all out once, in order, and forgets them; those pushed meanwhile stay for the next time.
    [[nodiscard]] Status replay(const Replay &);

private:
    static constexpr std::size_t kInMemory = std::size_t{8} << 20U;

    [[nodiscard]] Status replayFile(const SpillFile &, const Replay &) const;
    // How many bytes of whole packets there were.
    [[nodiscard]] static Expected<std::size_t> replayBytes(std::string_view, const Replay &);

    std::vector<char> tail_;  // after what is in the file
    std::unique_ptr<SpillFile> file_ = std::make_unique<SpillFile>();
    std::vector<std::shared_ptr<const SequenceState>> states_;
    std::uint64_t count_ = 0;
};

}  // namespace wattproof::importers::perfetto
