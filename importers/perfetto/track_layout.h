// Gives named tracks their rows when all of the trace is known: parents before children, siblings in the order
// that their parent asks for. Siblings that are to be merged share rows as far as they do not overlap in time.
#pragma once

#include "importers/perfetto/track_table.h"

#include <vector>

namespace wattproof::importers::perfetto {

class TrackLayout {
public:
    TrackLayout(ImportContext &context, TrackTable &tracks) : context_(context), tracks_(tracks) {}

    // Sets Track::id of all named tracks that have slices, or children with any.
    void place();
    // Names counters, and says whose they are; after place().
    void placeCounters();
    // What descriptors say of their tracks, as metadata; after place().
    void describe();

private:
    // Where children go: below a track, or directly in a process, a thread or the trace.
    struct Scope {
        TrackId parent;
        ProcessId process;
        ThreadId thread;
        ChildOrder order = ChildOrder::Unknown;
    };
    struct Work {
        Scope scope;
        std::vector<Track *> members;
    };
    struct Group {
        std::vector<Track *> members;
        Ns begin = 0;
    };

    void collect();
    void markNeeded();
    [[nodiscard]] static bool isNamed(const Track &);
    [[nodiscard]] Track *namedParent(const Track &);
    [[nodiscard]] Scope outermostScope(const Track &);
    [[nodiscard]] std::vector<Group> groupsOf(std::vector<Track *> &members) const;
    void sortGroups(std::vector<Group> &, ChildOrder) const;
    void placeMembers(Work &);
    void placeGroup(const Scope &, Group &);
    void addRow(const Scope &, Track &);
    void queueChildren(const Scope &, const std::vector<Track *> &lane);
    void placeCounter(Track &);
    [[nodiscard]] static std::string titleOf(const Track &);

    ImportContext &context_;
    TrackTable &tracks_;
    std::vector<std::vector<Track *>> children_;  // by index of the parent
    std::vector<bool> needed_;
    std::vector<Work> work_;
};

}  // namespace wattproof::importers::perfetto
