// Processes and threads of a trace. An id is given out again when its holder has ended: a descriptor with another
// track id says so, and what comes after belongs to the new holder.
#pragma once

#include "store/bulk_writer.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wattproof::importers::perfetto {

struct Process {
    ProcessRow row;
    std::int64_t pid = 0;
    std::uint32_t machine = 0;
    std::uint64_t uuid = 0;  // of the track that described it; 0: none did
    TrackId track;           // of events of the process itself; made when there are any
};

struct Thread {
    ThreadRow row;
    std::int64_t tid = 0;
    Process *process = nullptr;
    std::uint64_t uuid = 0;
    TrackId track;
};

class Places {
public:
    Places(store::BulkWriter &writer, SourceId source) : writer_(writer), source_(source) {}

    // The holder of the id at this place of the file; made when there is none. References stay valid.
    [[nodiscard]] Process &process(std::int64_t pid, std::uint32_t machine = 0);
    [[nodiscard]] Thread &thread(std::int64_t pid, std::int64_t tid, std::uint32_t machine = 0);
    // The same as a descriptor states it: a holder that another track described has ended.
    [[nodiscard]] Process &described(std::int64_t pid, std::uint32_t machine, std::uint64_t uuid);
    [[nodiscard]] Thread &described(std::int64_t pid, std::int64_t tid, std::uint32_t machine, std::uint64_t uuid);

    [[nodiscard]] TrackId trackOf(Thread &);
    [[nodiscard]] TrackId trackOf(Process &);

    [[nodiscard]] std::deque<Process> &processes() { return processes_; }
    [[nodiscard]] std::deque<Thread> &threads() { return threads_; }

    // Gives processes, threads and their tracks the names that are known by now.
    void writeNames();

private:
    struct IdHash {
        std::size_t operator()(const std::pair<std::int64_t, std::int64_t> &id) const {
            return std::hash<std::int64_t>{}(id.first * 0x3779b97f4a7c15LL ^ id.second);
        }
    };

    Process &addProcess(std::int64_t pid, std::uint32_t machine);
    Thread &addThread(Process &, std::int64_t tid);

    store::BulkWriter &writer_;
    SourceId source_;
    std::deque<Process> processes_;
    std::deque<Thread> threads_;
    std::unordered_map<std::pair<std::int64_t, std::int64_t>, Process *, IdHash> processById_;  // machine, pid
    std::unordered_map<std::pair<std::int64_t, std::int64_t>, Thread *, IdHash>
        threadById_;  // row of process, tid
};

}  // namespace wattproof::importers::perfetto
