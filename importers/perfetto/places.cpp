#include "importers/perfetto/places.h"

#include "importers/trace/thread_track.h"

namespace wattproof::importers::perfetto {

Process &Places::addProcess(std::int64_t pid, std::uint32_t machine) {
    Process &process = processes_.emplace_back();
    process.pid = pid;
    process.machine = machine;
    process.row.source = source_;
    process.row.pid = std::to_string(pid);
    process.row.id = writer_.addProcess(process.row);
    processById_[{machine, pid}] = &process;
    return process;
}

Thread &Places::addThread(Process &process, std::int64_t tid) {
    Thread &thread = threads_.emplace_back();
    thread.tid = tid;
    thread.process = &process;
    thread.row.source = source_;
    thread.row.process = process.row.id;
    thread.row.tid = std::to_string(tid);
    thread.row.id = writer_.addThread(thread.row);
    threadById_[{process.row.id.value, tid}] = &thread;
    return thread;
}

Process &Places::process(std::int64_t pid, std::uint32_t machine) {
    const auto found = processById_.find({machine, pid});
    return found == processById_.end() ? addProcess(pid, machine) : *found->second;
}

Thread &Places::thread(std::int64_t pid, std::int64_t tid, std::uint32_t machine) {
    Process &own = process(pid, machine);
    const auto found = threadById_.find({own.row.id.value, tid});
    return found == threadById_.end() ? addThread(own, tid) : *found->second;
}

Process &Places::described(std::int64_t pid, std::uint32_t machine, std::uint64_t uuid) {
    Process &holder = process(pid, machine);
    Process &own = holder.uuid == 0 || holder.uuid == uuid ? holder : addProcess(pid, machine);
    own.uuid = uuid;
    return own;
}

Thread &Places::described(std::int64_t pid, std::int64_t tid, std::uint32_t machine, std::uint64_t uuid) {
    Thread &holder = thread(pid, tid, machine);
    Thread &own = holder.uuid == 0 || holder.uuid == uuid ? holder : addThread(*holder.process, tid);
    own.uuid = uuid;
    return own;
}

TrackId Places::trackOf(Thread &thread) {
    if (!thread.track.valid())
        thread.track = writer_.addTrack(threadTrack(thread.row, thread.process->row.id));
    return thread.track;
}

TrackId Places::trackOf(Process &process) {
    if (!process.track.valid()) {
        TrackRow row;
        row.source = source_;
        row.kind = TrackKind::Process;
        row.name = "process " + process.row.pid;
        row.process = process.row.id;
        process.track = writer_.addTrack(row);
    }
    return process.track;
}

void Places::writeNames() {
    for (Process &process : processes_) {
        writer_.updateProcess(process.row);
        if (!process.track.valid() || process.row.name.empty())
            continue;
        TrackRow row;
        row.id = process.track;
        row.source = source_;
        row.kind = TrackKind::Process;
        row.name = process.row.name;
        row.process = process.row.id;
        writer_.updateTrack(row);
    }
    for (Thread &thread : threads_) {
        writer_.updateThread(thread.row);
        if (!thread.track.valid() || thread.row.name.empty())
            continue;
        writer_.updateTrack(threadTrack(thread.row, thread.process->row.id, thread.track));
    }
}

}  // namespace wattproof::importers::perfetto
