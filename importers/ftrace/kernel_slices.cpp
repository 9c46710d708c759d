#include "importers/ftrace/kernel_slices.h"

#include "importers/ftrace/syscall_names.h"

#include <algorithm>

namespace wattproof::importers::ftrace {

Thread &KernelSlices::threadOf(const Record &record) {
    return scene_.threads.thread(record.tid, record.tgid);
}

TrackId KernelSlices::namedTrack(TrackKind kind, const std::string &name, std::int64_t pid) {
    return scene_.tracks.track(kind, name, pid > 0 ? scene_.threads.process(pid).row.id : ProcessId());
}

void KernelSlices::write(const Open &open, Ns end) {
    RawEvent event = scene_.event(open.track, open.ts, open.name, open.category, open.offset);
    event.args = open.args;
    const bool ends = end >= open.ts;
    if (!open.async)
        return ends ? scene_.builder.complete(event, end - open.ts) : scene_.builder.begin(event);
    const AsyncKey key{++pairs_};
    scene_.builder.asyncBegin(event, key);
    event.ts = end;
    event.args = {};
    if (ends)
        scene_.builder.asyncEnd(event, key);
}

void KernelSlices::begin(const Key &key, Open open) {
    open_[key].push_back(open);
}

void KernelSlices::end(const Key &key, const Record &record) {
    const auto found = open_.find(key);
    if (found == open_.end())
        return scene_.builder.warn("unmatched_end",
                                   "Ends without a begin of the same name on their thread were left out.",
                                   {record.offset});
    write(found->second.back(), record.ts);
    found->second.pop_back();
    if (found->second.empty())
        open_.erase(found);
}

void KernelSlices::threadPair(const Record &record, bool begins, std::string_view name,
                              std::string_view category) {
    Thread &thread = threadOf(record);
    const Key key{Kind::Unknown, thread.row.id.value, 0, std::string(category)};
    if (begins)
        begin(key, {scene_.threads.trackOf(thread),
                    record.ts,
                    scene_.tracks.writer().intern(name),
                    category,
                    {},
                    record.offset,
                    false});
    else
        end(key, record);
}

// S and F of one name and cookie do not nest: a second start before the end is one that Android writes by mistake.
void KernelSlices::asyncMark(const Record &record) {
    const auto phase = static_cast<char>(record.numbers[at::kMarkPhase]);
    const std::int64_t pid = record.numbers[at::kMarkPid];
    const std::string name(scene_.texts.get(record.texts[at::kName]));
    const bool named = phase == 'G' || phase == 'H';
    const std::string track = named ? std::string(scene_.texts.get(record.texts[at::kTrack])) : name;
    const Key key{Kind::Mark, pid, record.numbers[at::kMarkCookie], (named ? "G" : "S") + track};
    if (phase == 'H' || phase == 'F')
        return end(key, record);
    if (!named && open_.find(key) != open_.end())
        return scene_.builder.warn("repeated_begin",
                                   "Asynchronous begins whose name and cookie are begun already were left out.",
                                   {record.offset});
    begin(key, {namedTrack(TrackKind::Async, track, pid),
                record.ts,
                scene_.texts.stringId(record.texts[at::kName]),
                "atrace",
                {},
                record.offset,
                true});
}

void KernelSlices::mark(const Record &record) {
    const auto phase = static_cast<char>(record.numbers[at::kMarkPhase]);
    const std::string_view name = scene_.texts.get(record.texts[at::kName]);
    if (phase == 'B' || phase == 'E')
        return threadPair(record, phase == 'B', name, "atrace");
    if (phase != 'I' && phase != 'N')
        return asyncMark(record);
    const TrackId track =
        phase == 'I' ? scene_.threads.trackOf(threadOf(record))
                     : namedTrack(TrackKind::Async, std::string(scene_.texts.get(record.texts[at::kTrack])),
                                  record.numbers[at::kMarkPid]);
    const RawEvent event =
        scene_.event(track, record.ts, scene_.tracks.writer().intern(name), "atrace", record.offset);
    if (phase == 'I')
        scene_.builder.instant(event);
    else
        scene_.builder.asyncInstant(event, {});
}

// A call that never returned is over when the thread makes its next.
void KernelSlices::syscall(const Record &record) {
    const std::string name = syscallName(machine_, record.numbers[0]);
    Thread &thread = threadOf(record);
    const Key key{Kind::Unknown, thread.row.id.value, 0, "syscall"};
    if (record.kind == Kind::SyscallEnter && open_.find(key) != open_.end())
        end(key, record);
    threadPair(record, record.kind == Kind::SyscallEnter, name, "syscall");
}

void KernelSlices::kprobe(const Record &record) {
    constexpr std::int64_t kBegin = 1, kEnd = 2, kInstant = 3;
    const std::string_view name = scene_.texts.get(record.texts[at::kName]);
    const std::int64_t type = record.numbers[0];
    if (type == kBegin || type == kEnd)
        return threadPair(record, type == kBegin, name, "kprobe");
    if (type == kInstant)
        scene_.builder.instant(scene_.event(scene_.threads.trackOf(threadOf(record)), record.ts,
                                            scene_.tracks.writer().intern(name), "kprobe", record.offset));
}

void KernelSlices::function(const Record &record) {
    threadPair(record, record.kind == Kind::FunctionEntry, scene_.texts.get(record.texts[at::kName]), "function");
}

void KernelSlices::interrupt(const Record &record) {
    const bool soft = record.kind == Kind::SoftIrqEntry || record.kind == Kind::SoftIrqExit;
    const bool begins = record.kind == Kind::SoftIrqEntry || record.kind == Kind::IrqEntry;
    const Key key{soft ? Kind::SoftIrqEntry : Kind::IrqEntry, record.cpu, record.numbers[0], {}};
    if (!begins)
        return end(key, record);
    std::string name(scene_.texts.get(record.texts[at::kName]));
    if (name.empty())
        name = softIrqName(record.numbers[0]);
    const std::string track = "CPU " + std::to_string(record.cpu) + (soft ? " soft interrupts" : " interrupts");
    begin(key, {namedTrack(TrackKind::Cpu, track, 0),
                record.ts,
                scene_.tracks.writer().intern(name),
                "irq",
                {},
                record.offset,
                false});
}

void KernelSlices::work(const Record &record) {
    std::string name(scene_.texts.get(record.texts[at::kName]));
    threadPair(record, record.kind == Kind::WorkStart, name.empty() ? "work" : name, "workqueue");
}

// Freezing the clock begins on one processor and ends on another: its value is no part of the pair.
void KernelSlices::suspend(const Record &record) {
    const std::string action(scene_.texts.get(record.texts[0]));
    const std::int64_t value = action == "timekeeping_freeze" ? 0 : record.numbers[0];
    const std::string name = action + '(' + std::to_string(value) + ')';
    const Key key{Kind::SuspendResume, 0, 0, name};
    if (record.numbers[1] != 0)
        begin(key, {namedTrack(TrackKind::Global, "Suspend and resume", 0),
                    record.ts,
                    scene_.tracks.writer().intern(name),
                    "power",
                    {},
                    record.offset,
                    false});
    else
        end(key, record);
    if (action == "thaw_processes" && record.numbers[1] == 0)
        abortSuspend(record);
}

// The kernel closes suspend_enter before it suspends, and thaws after it resumed: one that is open when all is
// thawed was given up, and nothing else says so.
void KernelSlices::abortSuspend(const Record &record) {
    const Key first{Kind::SuspendResume, 0, 0, "suspend_enter("},
        last{Kind::SuspendResume, 0, 0, "suspend_enter)"};
    for (auto at = open_.lower_bound(first); at != open_.end() && at->first < last; at = open_.erase(at))
        for (const Open &open : at->second)
            write(open, record.ts);
}

void KernelSlices::block(const Record &record) {
    const std::int64_t device = record.numbers[0], sector = record.numbers[1];
    const Key key{Kind::BlockIssue, device, sector, {}};
    if (record.kind == Kind::BlockComplete)
        return end(key, record);
    // Devices are numbered as the kernel does inside: the major number above twenty bits of the minor one.
    const std::string name =
        "Block device " + std::to_string(device >> 20) + ':' + std::to_string(device & 0xfffff);
    const ArgSetId args = scene_.tracks.arguments({{"device", std::to_string(device)},
                                                   {"sector", std::to_string(sector)},
                                                   {"sectors", std::to_string(record.numbers[2])},
                                                   {"operation", quoted(scene_.texts.get(record.texts[0]))}});
    begin(key, {namedTrack(TrackKind::Async, name, 0), record.ts, scene_.tracks.writer().intern("block_io"),
                "block", args, record.offset, true});
}

// A ring works on one job after the other: a job begins when it was handed over and the one before it is done.
void KernelSlices::job(const Record &record) {
    if (record.kind == Kind::JobRun) {
        jobs_[record.numbers[4]] = {std::string(scene_.texts.get(record.texts[0])), record.ts, record.numbers[0]};
        return;
    }
    const auto found = record.kind == Kind::JobDone ? jobs_.find(record.numbers[0]) : jobs_.end();
    if (found == jobs_.end())
        return;
    const Job job = std::move(found->second);
    jobs_.erase(found);
    const std::string track = "sched-" + job.ring;
    Ns &free = ringFree_.try_emplace(job.ring, job.submitted).first->second;
    const Ns begins = std::max(job.submitted, free);
    free = record.ts;
    const ArgSetId args = scene_.tracks.arguments({{"gpu sched job", std::to_string(job.id)}});
    write({namedTrack(TrackKind::Global, track, 0), begins, scene_.tracks.writer().intern("job"), "gpu", args,
           record.offset, false},
          record.ts);
}

void KernelSlices::finish() {
    for (const auto &[key, opens] : open_)
        for (const Open &open : opens)
            write(open, open.ts - 1);
    open_.clear();
    for (const auto &[fence, job] : jobs_)
        write({namedTrack(TrackKind::Global, "sched-" + job.ring, 0),
               job.submitted,
               scene_.tracks.writer().intern("job"),
               "gpu",
               {},
               0,
               false},
              job.submitted - 1);
    jobs_.clear();
}

}  // namespace wattproof::importers::ftrace
