#include "importers/perfetto/track_layout.h"

#include <algorithm>
#include <map>

#include <queue>

namespace wattproof::importers::perfetto {
namespace {

constexpr Ns kForever = std::numeric_limits<Ns>::max();
constexpr std::size_t kMostDescriptions = 512;

Ns endOf(const Track &track) {
    return track.open > 0 ? kForever : track.end;
}

bool sharesRows(const Track &track) {
    return track.merge != SiblingMerge::None;
}

const std::string &keyOf(const Track &track) {
    return track.merge == SiblingMerge::ByKey && !track.mergeKey.empty() ? track.mergeKey : track.name;
}

}  // namespace

bool TrackLayout::isNamed(const Track &track) {
    return track.role != TrackRole::Thread && track.role != TrackRole::Process;
}

Track *TrackLayout::namedParent(const Track &track) {
    Track *parent = track.parent == 0 ? nullptr : tracks_.find(track.parent);
    return parent && isNamed(*parent) && parent != &track ? parent : nullptr;
}

TrackLayout::Scope TrackLayout::outermostScope(const Track &track) {
    Scope scope;
    const Track *parent = track.parent == 0 ? nullptr : tracks_.find(track.parent);
    if (parent && parent->thread) {
        scope.thread = parent->thread->row.id;
        scope.process = parent->thread->process->row.id;
    } else if (parent && parent->process) {
        scope.process = parent->process->row.id;
    }
    if (parent)
        scope.order = parent->childOrder;
    return scope;
}

// Tracks with events, and all that they stand below.
void TrackLayout::markNeeded() {
    needed_.assign(tracks_.all().size(), false);
    for (Track &track : tracks_.all()) {
        if (!track.hasEvents)
            continue;
        Track *first = track.hasSlices && isNamed(track) ? &track : namedParent(track);
        for (Track *at = first; at && !needed_[at->index]; at = namedParent(*at))
            needed_[at->index] = true;
    }
}

void TrackLayout::collect() {
    children_.assign(tracks_.all().size(), {});
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> roots;  // process, thread: place in work_
    for (Track &track : tracks_.all()) {
        if (!needed_[track.index])
            continue;
        if (Track *parent = namedParent(track); parent && needed_[parent->index]) {
            children_[parent->index].push_back(&track);
            continue;
        }
        const Scope scope = outermostScope(track);
        const auto [found, added] = roots.try_emplace({scope.process.value, scope.thread.value}, work_.size());
        if (added)
            work_.push_back({scope, {}});
        work_[found->second].members.push_back(&track);
    }
}

std::vector<TrackLayout::Group> TrackLayout::groupsOf(std::vector<Track *> &members) const {
    std::vector<Group> groups;
    std::unordered_map<std::string, std::size_t> byKey;
    for (Track *track : members) {
        std::size_t place = groups.size();
        if (sharesRows(*track)) {
            const auto [found, added] = byKey.try_emplace(keyOf(*track), place);
            place = found->second;
        }
        if (place == groups.size())
            groups.push_back({{}, kForever});
        groups[place].members.push_back(track);
        groups[place].begin = std::min(groups[place].begin, track->begin);
    }
    return groups;
}

void TrackLayout::sortGroups(std::vector<Group> &groups, ChildOrder order) const {
    std::stable_sort(groups.begin(), groups.end(), [order](const Group &a, const Group &b) {
        const Track &left = *a.members.front(), &right = *b.members.front();
        switch (order) {
            case ChildOrder::Lexicographic:
                return left.name < right.name;
            case ChildOrder::Chronological:
                return a.begin < b.begin;
            case ChildOrder::Explicit:
                return left.rank < right.rank;
            default:
                return false;
        }
    });
}

void TrackLayout::addRow(const Scope &scope, Track &track) {
    TrackRow row;
    row.source = context_.source;
    row.kind = scope.process.valid() || scope.parent.valid() ? TrackKind::Async : TrackKind::Global;
    row.name = track.name;
    if (row.name.empty())
        row.name = track.uuid == 0 ? "Default Track" : "track " + std::to_string(track.uuid);
    row.process = scope.process;
    row.thread = scope.thread;
    row.parent = scope.parent;
    track.id = context_.writer.addTrack(row);
}

void TrackLayout::queueChildren(const Scope &scope, const std::vector<Track *> &lane) {
    Work next{scope, {}};
    next.scope.parent = lane.front()->id;
    next.scope.order = ChildOrder::Unknown;
    for (Track *track : lane) {
        next.members.insert(next.members.end(), children_[track->index].begin(), children_[track->index].end());
        if (next.scope.order == ChildOrder::Unknown)
            next.scope.order = track->childOrder;
    }
    if (!next.members.empty())
        work_.push_back(std::move(next));
}

// Members in order of time; each goes to the row that has been free for longest, else to a new one. A row holds
// no two that touch: at equal times the order in the file could pair a begin with another's end.
void TrackLayout::placeGroup(const Scope &scope, Group &group) {
    std::stable_sort(group.members.begin(), group.members.end(),
                     [](const Track *a, const Track *b) { return a->begin < b->begin; });
    std::vector<std::vector<Track *>> lanes;
    using Free = std::pair<Ns, std::size_t>;  // end of its last member, lane
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    for (Track *track : group.members) {
        std::size_t lane = lanes.size();
        if (!free.empty() && free.top().first < track->begin) {
            lane = free.top().second;
            free.pop();
        }
        if (lane == lanes.size()) {
            lanes.emplace_back();
            addRow(scope, *track);
        } else {
            track->id = lanes[lane].front()->id;
        }
        track->ownProcess = scope.process;
        track->ownThread = scope.thread;
        lanes[lane].push_back(track);
        free.emplace(endOf(*track), lane);
    }
    for (const auto &lane : lanes)
        queueChildren(scope, lane);
}

void TrackLayout::placeMembers(Work &work) {
    std::vector<Group> groups = groupsOf(work.members);
    sortGroups(groups, work.scope.order);
    for (Group &group : groups)
        placeGroup(work.scope, group);
}

void TrackLayout::placeCounter(Track &track) {
    Scope scope = outermostScope(track);
    if (Track *parent = namedParent(track)) {
        scope.parent = parent->id;
        scope.process = parent->ownProcess;
        scope.thread = parent->ownThread;
    }
    TrackRow row;
    row.id = track.counter->row;
    row.source = context_.source;
    row.kind = TrackKind::Counter;
    row.name = track.name.empty() ? "counter " + std::to_string(track.uuid) : track.name;
    row.process = scope.process;
    row.thread = scope.thread;
    row.parent = scope.parent;
    context_.writer.updateTrack(row);
    CounterRow counter;
    counter.id = track.counter->id;
    counter.track = row.id;
    counter.source = context_.source;
    counter.name = row.name;
    counter.unit = track.counter->unit;
    context_.writer.updateCounter(counter);
}

void TrackLayout::placeCounters() {
    for (Track &track : tracks_.all())
        if (track.counter && track.counter->id.valid())
            placeCounter(track);
}

std::string TrackLayout::titleOf(const Track &track) {
    if (track.thread)
        return "thread " + (track.thread->row.name.empty() ? track.thread->row.tid : track.thread->row.name);
    if (track.process)
        return "process " + (track.process->row.name.empty() ? track.process->row.pid : track.process->row.name);
    return track.name.empty() ? std::to_string(track.uuid) : track.name;
}

void TrackLayout::describe() {
    std::size_t rows = 0;
    for (const Track &track : tracks_.all())
        if (!track.description.empty() && rows++ < kMostDescriptions)
            context_.writer.addMetadata(
                {context_.source, "track_description." + titleOf(track), track.description});
}

void TrackLayout::place() {
    markNeeded();
    collect();
    for (std::size_t at = 0; at < work_.size(); ++at) {
        Work work = std::move(work_[at]);
        placeMembers(work);
    }
    // Parents that name each other in a circle hang below nothing: each then stands alone.
    for (Track &track : tracks_.all())
        if (needed_[track.index] && !track.id.valid())
            addRow({}, track);
}

}  // namespace wattproof::importers::perfetto
