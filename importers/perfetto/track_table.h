// Tracks by the ids that their descriptors give them, and where their events go. A descriptor may come after the
// events of its track, and events may come without any descriptor.
#pragma once

#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/recent.h"

#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>

namespace wattproof::importers::perfetto {

enum class TrackRole : std::uint8_t { Undescribed, Named, Thread, Process, Counter };
enum class ChildOrder : std::uint8_t { Unknown, Lexicographic, Chronological, Explicit };
enum class SiblingMerge : std::uint8_t { Unspecified, ByName, None, ByKey };

// What a counter's descriptor says.
struct CounterTrack {
    enum class BuiltIn : std::uint8_t { None, ThreadTime, ThreadInstructions } builtIn = BuiltIn::None;
    std::string unit;
    std::int64_t multiplier = 1;
    bool incremental = false;
    bool described = false;
    CounterId id;  // made at the first sample
    TrackId row;
};

// Arguments of begins that are still open, so that those of the end can join them.
struct OpenArguments {
    struct Begin {
        Ns ts = 0;
        std::size_t keysAt = 0, valuesAt = 0;  // where its texts begin; both lists end with the text
        bool kept = true;
    };
    std::vector<Begin> begins;
    std::string keys, values;
};

struct Track {
    std::uint64_t uuid = 0, parent = 0;
    std::uint32_t index = 0;
    TrackRole role = TrackRole::Undescribed;
    ChildOrder childOrder = ChildOrder::Unknown;
    SiblingMerge merge = SiblingMerge::Unspecified;
    bool hasEvents = false, hasSlices = false;
    std::int32_t rank = 0;
    std::string name, mergeKey, description;
    Thread *thread = nullptr;
    Process *process = nullptr;
    TrackId id;  // once it is known where its slices go
    // Of a named track: what its row is part of.
    ProcessId ownProcess;
    ThreadId ownThread;
    // Extent and open begins of what waits for that.
    Ns begin = std::numeric_limits<Ns>::max(), end = std::numeric_limits<Ns>::min();
    std::int64_t open = 0;
    std::unique_ptr<CounterTrack> counter;
    std::unique_ptr<OpenArguments> arguments;
};

class TrackTable {
public:
    explicit TrackTable(ImportContext &context) : context_(context) {}

    void describe(const Packet &, std::string_view descriptor);
    // The deprecated descriptors, of threads and processes without a track of their own.
    void describeOldThread(const Packet &, std::string_view thread);
    void describeOldProcess(const Packet &, std::string_view process);

    // Made where nothing described it yet. References stay valid.
    [[nodiscard]] Track &track(std::uint64_t uuid);
    // Of events that name a thread or process, not a track.
    [[nodiscard]] Track &of(Thread &);
    [[nodiscard]] Track &of(Process &);
    // The track of events that name none.
    [[nodiscard]] Track &global() { return track(0); }

    // Where slices of the track go; none as long as that is open (tracks of threads and processes are known at
    // once).
    [[nodiscard]] TrackId direct(Track &);
    // A track without a name takes that of its first event; the one of events that name none (0) does not.
    static void nameByEvent(Track &track, std::string_view name) {
        if (track.name.empty() && track.uuid != 0)
            track.name = name;
    }

    [[nodiscard]] std::deque<Track> &all() { return tracks_; }
    [[nodiscard]] Track *find(std::uint64_t uuid);

private:
    struct Described;

    [[nodiscard]] Track &add(std::uint64_t uuid);
    void describeThread(const Packet &, Track &, std::string_view thread);
    void describeProcess(const Packet &, Track &, std::string_view process);
    void describeCounter(Track &, std::string_view counter);

    ImportContext &context_;
    std::deque<Track> tracks_;
    std::unordered_map<std::uint64_t, Track *> byUuid_;
    std::unordered_map<const Thread *, Track *> byThread_;
    std::unordered_map<const Process *, Track *> byProcess_;
    Recent<Track> recent_;
};

}  // namespace wattproof::importers::perfetto
