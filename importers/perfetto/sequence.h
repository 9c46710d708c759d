// What a packet sequence (one writer of one program) has said so far: interned data, defaults, clocks. Packets
// refer to it by short ids; when packets were lost, it may not be used until the writer has started anew.
#pragma once

#include "importers/perfetto/clock_tracker.h"
#include "importers/perfetto/wire.h"
#include "store/ids.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::perfetto {

// Values by interning id. Writers count ids from 1, so most stand in a plain vector.
template <class Value>
class InternTable {
public:
    [[nodiscard]] const Value *find(std::uint64_t iid) const {
        if (iid < dense_.size())
            return dense_[iid] ? &*dense_[iid] : nullptr;
        const auto found = sparse_.find(iid);
        return found == sparse_.end() ? nullptr : &found->second;
    }
    void put(std::uint64_t iid, Value value) {
        // Never room for more ids than the file has spent bytes on, whatever ids it names.
        if (iid >= dense_.size() && iid < 2 * (dense_.size() + 32))
            dense_.resize(static_cast<std::size_t>(iid) + 1);
        if (iid < dense_.size())
            dense_[iid] = std::move(value);
        else
            sparse_[iid] = std::move(value);
    }

private:
    std::vector<std::optional<Value>> dense_;
    std::unordered_map<std::uint64_t, Value> sparse_;
};

struct SourceLocation {
    std::string file, function;
    std::uint64_t line = 0;
};

struct InternedName {
    StringId id;
    std::string text;
};

// Interned texts as ids of the workspace where they become names, as text where they become arguments.
struct Interned {
    InternTable<InternedName> categories, eventNames;
    InternTable<std::string> annotationNames, annotationStrings, logBodies, correlationTexts;
    InternTable<SourceLocation> sourceLocations;
    // Messages of the fields that modules asked for, as they stand.
    std::unordered_map<std::uint32_t, InternTable<std::string>> messages;

    [[nodiscard]] const std::string *message(std::uint32_t field, std::uint64_t iid) const {
        const auto table = messages.find(field);
        return table == messages.end() ? nullptr : table->second.find(iid);
    }
};

// What a sequence has before it interned anything; shared, so that a million idle sequences cost little.
[[nodiscard]] inline const std::shared_ptr<Interned> &emptyInterned() {
    static const auto empty = std::make_shared<Interned>();
    return empty;
}

struct PacketDefaults {
    std::uint32_t clock = 0;  // 0: none stated
    std::optional<std::uint64_t> track;
    std::vector<std::uint64_t> counters, doubleCounters;  // tracks of extra counter values
};

// State between two clearings. Interned data is only ever added to; what replaces defaults is a new state.
struct SequenceState {
    std::shared_ptr<Interned> interned = emptyInterned();
    PacketDefaults defaults;
    std::uint64_t generation = 0;  // of clearings in the whole trace
};

[[nodiscard]] inline const std::shared_ptr<const SequenceState> &emptyState() {
    static const auto empty = std::make_shared<const SequenceState>();
    return empty;
}

struct Thread;

struct Sequence {
    std::uint32_t id = 0, machine = 0;
    std::shared_ptr<const SequenceState> state = emptyState();
    bool seen = false;          // any packet
    bool valid = false;         // state was started and nothing was lost since
    std::uint64_t waiting = 0;  // packets that wait for a clock: those after them wait as well
    // Last time on each incremental clock of this sequence, in its own ns.
    std::vector<std::pair<ClockKey, Ns>> clockTimes;

    // Of events that name no track: the thread whose descriptor the sequence brought.
    Thread *thread = nullptr;
    // Of the deprecated way to tell time: microseconds since a reference.
    bool hasReference = false;
    std::int64_t referenceUs = 0;
    std::int64_t threadTimeUs = 0, instructions = 0;
};

}  // namespace wattproof::importers::perfetto
