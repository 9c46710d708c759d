// Where events belong: processes and threads by the ids the file gives, tracks of threads, async names and
// counters.
#pragma once

#include "importers/chrome/event.h"
#include "store/bulk_writer.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::chrome {

// A name from metadata: the last by (ts, place in the file) holds.
struct LatestText {
    std::string text;
    Ns ts = 0;
    bool set = false;
    void offer(std::string_view value, Ns when) {
        if (set && when < ts)
            return;
        text = value;
        ts = when;
        set = true;
    }
};

struct Process {
    ProcessRow row;
    LatestText name, labels;
};

struct Thread {
    ThreadRow row;
    Process *process = nullptr;
    LatestText name;
    TrackId track;     // of its slices and instants; made when there are any
    TrackId gpuTrack;  // when its events are GPU operations: the track of the stream
};

class Places {
public:
    Places(store::BulkWriter &writer, SourceId source) : writer_(writer), source_(source) {}

    [[nodiscard]] Process &process(const Event &);
    // (pid, tid), compared as text: 12 and "12" are one. Without tid the pid stands for it.
    [[nodiscard]] Thread &thread(const Event &);
    // For events that state no process: the first thread of that tid.
    [[nodiscard]] Thread &threadOfAnyProcess(const Event &);
    [[nodiscard]] TrackId trackOf(Thread &);
    [[nodiscard]] TrackId asyncTrack(Process &, StringId category, StringId name, std::string_view nameText);
    // Of the objects of one name.
    [[nodiscard]] TrackId objectTrack(Process &, StringId name, std::string_view nameText);
    // One counter a series: (process, name, id, key of the value). None when the file has too many.
    [[nodiscard]] CounterId counter(Process &, std::string_view name, std::string_view id, std::string_view series,
                                    std::string_view unit);

    template <class Take>
    void forEachProcess(Take take) const {
        for (const Process &process : processes_)
            take(process);
    }
    template <class Take>
    void forEachThread(Take take) const {
        for (const Thread &thread : threads_)
            take(thread);
    }

    // Gives processes, threads, tracks and counters the names that are known by now.
    void writeNames();

private:
    struct CounterGroup {
        Process *process = nullptr;
        std::string name;
        std::vector<std::pair<std::string, CounterRow>> series;
    };

    [[nodiscard]] Process &processOf(std::string_view pid);
    [[nodiscard]] TrackId sharedTrack(const std::string &key, const Process &, std::string name);
    [[nodiscard]] CounterId addSeries(CounterGroup &, std::string_view series, std::string_view unit);
    void nameCounters();

    store::BulkWriter &writer_;
    SourceId source_;
    std::deque<Process> processes_;
    std::deque<Thread> threads_;
    std::deque<CounterGroup> counters_;
    std::unordered_map<std::string, Process *> processByPid_;
    std::unordered_map<std::string, Thread *> threadByIds_;
    std::unordered_map<std::string, Thread *> threadByTid_;
    std::unordered_map<std::string, TrackId> sharedTracks_;
    std::unordered_map<std::string, CounterGroup *> counterGroups_;
    std::size_t series_ = 0;
    std::string key_, lastKey_, scratch_, otherScratch_;
    Thread *last_ = nullptr;
};

}  // namespace wattproof::importers::chrome
