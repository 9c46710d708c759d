#include "importers/chrome/places.h"

#include "importers/text/mended.h"
#include "importers/trace/thread_track.h"

#include <algorithm>

namespace wattproof::importers::chrome {
namespace {

// A file whose names never repeat would make a track or curve of each event.
constexpr std::size_t kMostSharedTracks = 50'000, kMostSeries = 50'000;

std::string_view idText(const RawValue &value, std::string &scratch) {
    return value.present() ? plainText(value, scratch) : std::string_view();
}

}  // namespace

Process &Places::processOf(std::string_view pid) {
    const auto [found, added] = processByPid_.try_emplace(std::string(pid), nullptr);
    if (added) {
        Process &process = processes_.emplace_back();
        process.row.source = source_;
        process.row.pid = mendedText(pid);
        process.row.id = writer_.addProcess(process.row);
        found->second = &process;
    }
    return *found->second;
}

Process &Places::process(const Event &event) {
    return processOf(idText(event.pid, scratch_));
}

Thread &Places::thread(const Event &event) {
    const std::string_view pid = idText(event.pid, scratch_);
    const std::string_view tid = event.tid.present() ? idText(event.tid, otherScratch_) : pid;
    key_.assign(pid);
    key_ += '\0';
    key_ += tid;
    if (last_ && key_ == lastKey_)
        return *last_;
    const auto [found, added] = threadByIds_.try_emplace(key_, nullptr);
    if (added) {
        Thread &thread = threads_.emplace_back();
        thread.process = &processOf(pid);
        thread.row.source = source_;
        thread.row.process = thread.process->row.id;
        thread.row.tid = mendedText(tid);
        thread.row.id = writer_.addThread(thread.row);
        found->second = &thread;
    }
    lastKey_ = key_;
    last_ = found->second;
    return *last_;
}

Thread &Places::threadOfAnyProcess(const Event &event) {
    const std::string tid = mendedText(idText(event.tid, otherScratch_));
    const auto [found, added] = threadByTid_.try_emplace(tid, nullptr);
    if (added) {
        const auto known = std::find_if(threads_.begin(), threads_.end(),
                                        [&tid](const Thread &each) { return each.row.tid == tid; });
        found->second = known == threads_.end() ? &thread(event) : &*known;
    }
    return *found->second;
}

TrackId Places::trackOf(Thread &thread) {
    if (!thread.track.valid())
        thread.track = writer_.addTrack(threadTrack(thread.row, thread.process->row.id));
    return thread.track;
}

TrackId Places::sharedTrack(const std::string &key, const Process &process, std::string name) {
    const bool room = sharedTracks_.size() < kMostSharedTracks || sharedTracks_.count(key) > 0;
    if (!room)
        name = "further names";
    TrackId &track = sharedTracks_[room ? key : "further"];
    if (!track.valid()) {
        TrackRow row;
        row.source = source_;
        row.kind = TrackKind::Async;
        row.process = process.row.id;
        row.name = std::move(name);
        track = writer_.addTrack(row);
    }
    return track;
}

TrackId Places::asyncTrack(Process &process, StringId category, StringId name, std::string_view nameText) {
    key_ = std::to_string(process.row.id.value) + ' ' + std::to_string(category.value) + ' ' +
           std::to_string(name.value);
    return sharedTrack(key_, process, std::string(nameText));
}

TrackId Places::objectTrack(Process &process, StringId name, std::string_view nameText) {
    key_ = std::to_string(process.row.id.value) + " objects " + std::to_string(name.value);
    return sharedTrack(key_, process, std::string(nameText) + " objects");
}

CounterId Places::addSeries(CounterGroup &group, std::string_view series, std::string_view unit) {
    ++series_;
    TrackRow track;
    track.source = source_;
    track.kind = TrackKind::Counter;
    track.name = group.name;
    track.process = group.process->row.id;
    CounterRow row;
    row.source = source_;
    row.name = group.name;
    row.unit = unit;
    row.track = writer_.addTrack(track);
    row.id = writer_.addCounter(row);
    group.series.emplace_back(series, row);
    return row.id;
}

CounterId Places::counter(Process &process, std::string_view name, std::string_view id, std::string_view series,
                          std::string_view unit) {
    key_ = process.row.pid;
    key_.append(1, '\0').append(name).append(1, '\0').append(id);
    if (series_ >= kMostSeries && counterGroups_.count(key_) == 0)
        return {};
    CounterGroup *&group = counterGroups_[key_];
    if (!group) {
        group = &counters_.emplace_back();
        group->process = &process;
        group->name = id.empty() ? std::string(name) : std::string(name) + '[' + std::string(id) + ']';
    }
    for (const auto &[key, row] : group->series)
        if (key == series)
            return row.id;
    return series_ < kMostSeries ? addSeries(*group, series, unit) : CounterId();
}

// One series bears the counter's name, several bear their own beside it.
void Places::nameCounters() {
    for (CounterGroup &group : counters_) {
        if (group.series.size() < 2)
            continue;
        for (auto &[key, row] : group.series) {
            row.name = group.name + '.' + key;
            writer_.updateCounter(row);
            TrackRow track;
            track.id = row.track;
            track.source = source_;
            track.kind = TrackKind::Counter;
            track.name = row.name;
            track.process = group.process->row.id;
            writer_.updateTrack(track);
        }
    }
}

void Places::writeNames() {
    for (Process &process : processes_) {
        process.row.name = process.name.text;
        process.row.labels = process.labels.text;
        writer_.updateProcess(process.row);
    }
    for (Thread &thread : threads_) {
        thread.row.name = thread.name.text;
        writer_.updateThread(thread.row);
        if (!thread.track.valid() || thread.row.name.empty())
            continue;
        writer_.updateTrack(threadTrack(thread.row, thread.process->row.id, thread.track));
    }
    nameCounters();
}

}  // namespace wattproof::importers::chrome
