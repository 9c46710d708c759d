// Who the kernel's thread ids are. An id is given out again after its thread has ended: each holder is a thread of
// its own. What a process is becomes known late (a process list at the end of the file), so rows are named by
// write().
#pragma once

#include "store/bulk_writer.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wattproof::importers::ftrace {

struct Process {
    ProcessRow row;
    std::int64_t pid = 0;
    std::int64_t parent = -1;  // pid; -1: not known
    Ns start = -1;             // since the machine's; -1: not known
    bool adopted = false;
};

struct Thread {
    ThreadRow row;
    std::int64_t tid = 0;
    Process *process = nullptr;
    Thread *creator = nullptr;  // shares its process
    TrackId track;
    bool adopted = false;
    // What the scheduler last did with it.
    ThreadState state = ThreadState::Unknown;
    std::int32_t cpu = -1;
    Ns since = 0;
    bool hasState = false, uninterruptible = false;
};

class Threads {
public:
    Threads(store::BulkWriter &writer, SourceId source) : writer_(writer), source_(source) {}

    // Processes and threads that another part of the file has made already. Their names, where they have any,
    // stay.
    void adopt(std::int64_t pid, const ProcessRow &);
    void adopt(std::int64_t pid, std::int64_t tid, const ThreadRow &, TrackId track);

    // The holder of the id at this point of the replay. tgid 0: its process is not known here.
    [[nodiscard]] Thread &thread(std::int64_t tid, std::int64_t tgid = 0);
    // A thread that has just begun: a new holder of its id, in the process of its creator or in one of its own.
    Thread &started(std::int64_t tid, std::string_view comm, Thread *creator, bool sharesProcess);
    void rename(Thread &, std::string_view comm);
    [[nodiscard]] Process &process(std::int64_t pid);
    void describe(std::int64_t pid, std::int64_t parent, std::string_view name, Ns start = -1);
    // The thread's process, as far as is known by now; may be null.
    [[nodiscard]] static Process *processOf(Thread &);
    [[nodiscard]] TrackId trackOf(Thread &);
    [[nodiscard]] const std::deque<Thread> &all() const { return threads_; }
    [[nodiscard]] const std::deque<Process> &processes() const { return processes_; }

    void write();

private:
    [[nodiscard]] Thread &make(std::int64_t tid, Process *);
    void writeThread(Thread &);

    store::BulkWriter &writer_;
    SourceId source_;
    std::deque<Process> processes_;
    std::deque<Thread> threads_;
    std::unordered_map<std::int64_t, Process *> byPid_;
    std::unordered_map<std::int64_t, Thread *> byTid_;               // the holder now
    std::map<std::pair<std::int64_t, std::int64_t>, Thread *> own_;  // (pid, tid)
};

}  // namespace wattproof::importers::ftrace
