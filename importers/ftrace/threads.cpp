#include "importers/ftrace/threads.h"

#include "importers/trace/thread_track.h"

namespace wattproof::importers::ftrace {
namespace {

constexpr int kLongestChain = 64;  // of creators asked for their process

// "parent 2, started 10000000 ns after the machine"
std::string labelsOf(const Process &process) {
    std::string text = process.parent >= 0 ? "parent " + std::to_string(process.parent) : "";
    if (process.start >= 0)
        text +=
            (text.empty() ? "started " : ", started ") + std::to_string(process.start) + " ns after the machine";
    return text;
}

}  // namespace

void Threads::adopt(std::int64_t pid, const ProcessRow &row) {
    Process &process = processes_.emplace_back();
    process.row = row;
    process.pid = pid;
    process.adopted = true;
    byPid_[pid] = &process;
}

void Threads::adopt(std::int64_t pid, std::int64_t tid, const ThreadRow &row, TrackId track) {
    Thread &thread = threads_.emplace_back();
    thread.row = row;
    thread.tid = tid;
    thread.process = &process(pid);
    thread.track = track;
    thread.adopted = true;
    byTid_[tid] = &thread;
    own_[{pid, tid}] = &thread;
}

Process &Threads::process(std::int64_t pid) {
    Process *&held = byPid_[pid];
    if (!held) {
        held = &processes_.emplace_back();
        held->pid = pid;
        held->row.source = source_;
        held->row.pid = std::to_string(pid);
        held->row.id = writer_.addProcess(held->row);
    }
    return *held;
}

Thread &Threads::make(std::int64_t tid, Process *process) {
    Thread &thread = threads_.emplace_back();
    thread.tid = tid;
    thread.process = process;
    thread.row.source = source_;
    thread.row.tid = std::to_string(tid);
    if (process)
        thread.row.process = process->row.id;
    thread.row.id = writer_.addThread(thread.row);
    byTid_[tid] = &thread;
    if (process)
        own_[{process->pid, tid}] = &thread;
    return thread;
}

Process *Threads::processOf(Thread &thread) {
    Thread *at = &thread;
    for (int i = 0; at && !at->process && i < kLongestChain; ++i)
        at = at->creator;
    if (at && at->process)
        thread.process = at->process;
    return thread.process;
}

Thread &Threads::thread(std::int64_t tid, std::int64_t tgid) {
    const auto found = byTid_.find(tid);
    if (found == byTid_.end())
        return make(tid, tgid == 0 ? nullptr : &process(tgid));
    Thread &holder = *found->second;
    if (tgid == 0)
        return holder;
    const Process *known = processOf(holder);
    if (known && known->pid == tgid)
        return holder;
    if (!known) {
        holder.process = &process(tgid);
        own_[{tgid, tid}] = &holder;
        return holder;
    }
    const auto own = own_.find({tgid, tid});
    return own != own_.end() ? *own->second : make(tid, &process(tgid));
}

Thread &Threads::started(std::int64_t tid, std::string_view comm, Thread *creator, bool sharesProcess) {
    const auto held = byTid_.find(tid);
    const bool adopted = held != byTid_.end() && held->second->adopted;
    Thread &thread = adopted ? *held->second : make(tid, sharesProcess ? nullptr : &process(tid));
    if (sharesProcess && !thread.process)
        thread.creator = creator;
    if (!sharesProcess && creator && processOf(*creator))
        process(tid).parent = processOf(*creator)->pid;
    rename(thread, comm);
    return thread;
}

void Threads::rename(Thread &thread, std::string_view comm) {
    if (!comm.empty() && !(thread.adopted && !thread.row.name.empty()))
        thread.row.name = comm;
}

void Threads::describe(std::int64_t pid, std::int64_t parent, std::string_view name, Ns start) {
    Process &described = process(pid);
    if (parent >= 0)
        described.parent = parent;
    if (start >= 0)
        described.start = start;
    if (!name.empty() && !(described.adopted && !described.row.name.empty()))
        described.row.name = name;
}

TrackId Threads::trackOf(Thread &thread) {
    if (!thread.track.valid()) {
        const Process *process = processOf(thread);
        thread.track = writer_.addTrack(threadTrack(thread.row, process ? process->row.id : ProcessId()));
    }
    return thread.track;
}

void Threads::writeThread(Thread &thread) {
    Process *process = processOf(thread);
    if (process)
        thread.row.process = process->row.id;
    if (process && process->pid == thread.tid && process->row.name.empty())
        process->row.name = thread.row.name;
    writer_.updateThread(thread.row);
    if (!thread.track.valid() || thread.adopted)
        return;
    writer_.updateTrack(threadTrack(thread.row, thread.row.process, thread.track));
}

void Threads::write() {
    for (Thread &thread : threads_)
        writeThread(thread);
    for (Process &process : processes_) {
        if (process.row.labels.empty())
            process.row.labels = labelsOf(process);
        writer_.updateProcess(process.row);
    }
}

}  // namespace wattproof::importers::ftrace
