#include "importers/ftrace/sched.h"

namespace wattproof::importers::ftrace {
namespace {

ThreadState stateAfter(EndState end) {
    switch (end) {
        case EndState::Runnable:
        case EndState::Preempted:
            return ThreadState::Runnable;
        case EndState::Uninterruptible:
            return ThreadState::Unknown;  // until sched_blocked_reason says whether for I/O
        case EndState::Lost:
            return ThreadState::Unknown;
        default:
            return ThreadState::Sleeping;
    }
}

}  // namespace

// Bits that have kept their meaning since Linux 2.6; the two for dead and zombie changed places, the one for a
// task that was preempted moved up over time.
EndState endStateOfBits(std::int64_t bits) {
    constexpr std::int64_t kInterruptible = 1, kUninterruptible = 2, kStopped = 4 | 8, kDead = 16 | 32;
    constexpr std::int64_t kNoLoad = 128;
    if ((bits & kInterruptible) != 0)
        return EndState::Sleeping;
    if ((bits & kUninterruptible) != 0)
        return EndState::Uninterruptible;
    if ((bits & kStopped) != 0)
        return EndState::Stopped;
    if ((bits & kDead) != 0)
        return EndState::Dead;
    if (bits == kNoLoad)
        return EndState::Idle;
    return bits == 0 ? EndState::Runnable : EndState::Preempted;
}

EndState endStateOfText(std::string_view letters) {
    if (letters.empty())
        return EndState::Runnable;
    switch (letters[0]) {
        case 'R':
            return letters.find('+') != std::string_view::npos ? EndState::Preempted : EndState::Runnable;
        case 'D':
            return EndState::Uninterruptible;
        case 'T':
        case 't':
            return EndState::Stopped;
        case 'X':
        case 'x':
        case 'Z':
            return EndState::Dead;
        case 'I':
            return EndState::Idle;
        default:
            return EndState::Sleeping;
    }
}

std::string_view letterOf(EndState end) {
    constexpr std::string_view kLetters[] = {"R", "R+", "S", "D", "T", "X", "I", "?"};
    return kLetters[static_cast<std::size_t>(end)];
}

Sched::Cpu &Sched::cpu(std::int32_t number) {
    Cpu &held = cpus_[number];
    if (!held.track.valid())
        held.track = scene_.tracks.addTrack(TrackKind::Cpu, "CPU " + std::to_string(number));
    return held;
}

void Sched::closeState(Thread &thread, Ns ts, std::uint64_t offset) {
    if (thread.hasState && ts > thread.since)
        scene_.builder.threadState({thread.row.id, thread.since, ts - thread.since, thread.state, thread.cpu},
                                   {offset});
}

void Sched::enter(Thread &thread, ThreadState state, std::int32_t cpu, Ns ts, std::uint64_t offset) {
    closeState(thread, ts, offset);
    thread.hasState = true;
    thread.uninterruptible = false;
    thread.state = state;
    thread.cpu = cpu;
    thread.since = ts;
}

void Sched::writeSlice(const Cpu &cpu, Ns end, EndState state) {
    RawEvent event = scene_.event(cpu.track, cpu.since, cpu.name, "sched", cpu.offset);
    const std::string tid = std::to_string(cpu.running->tid), priority = std::to_string(cpu.priority);
    if (end < cpu.since) {
        event.args = scene_.tracks.arguments({{"tid", tid}, {"priority", priority}});
        return scene_.builder.begin(event);
    }
    event.args =
        scene_.tracks.arguments({{"tid", tid}, {"priority", priority}, {"end_state", quoted(letterOf(state))}});
    scene_.builder.complete(event, end - cpu.since);
}

// A thread that is not on a processor any more. The dead have no state.
void Sched::rest(Thread &thread, Ns ts, EndState end, std::uint64_t offset) {
    enter(thread, stateAfter(end), -1, ts, offset);
    thread.uninterruptible = end == EndState::Uninterruptible;
    thread.hasState = end != EndState::Dead;
}

void Sched::leaves(std::int32_t number, Ns ts, EndState end, std::uint64_t offset) {
    Cpu &processor = cpu(number);
    Thread *const thread = processor.running;
    if (!thread)
        return;
    writeSlice(processor, ts, end);
    processor.running = nullptr;
    rest(*thread, ts, end, offset);
}

void Sched::runs(std::int32_t number, Ns ts, Thread &thread, std::int64_t priority, std::uint64_t offset) {
    Cpu &processor = cpu(number);
    processor.running = &thread;
    processor.name = scene_.tracks.writer().intern(thread.row.name.empty() ? thread.row.tid : thread.row.name);
    processor.since = ts;
    processor.priority = priority;
    processor.offset = offset;
    enter(thread, ThreadState::Running, number, ts, offset);
}

void Sched::switched(const Record &record) {
    const auto end = static_cast<EndState>(record.numbers[at::kPrevState]);
    const Cpu &before = cpu(record.cpu);
    const bool compact = record.kind == Kind::SchedSwitchCompact && before.running;
    const std::int64_t prevTid = compact ? before.running->tid : record.numbers[at::kPrevPid];
    const std::int64_t nextTid = record.numbers[at::kNextPid];
    const bool expected = before.running && before.running->tid == prevTid;
    if (prevTid != 0) {
        Thread &previous = expected ? *before.running : scene_.threads.thread(prevTid);
        scene_.threads.rename(previous, scene_.texts.get(record.texts[at::kPrevComm]));
        if (!expected)
            rest(previous, record.ts, end, record.offset);
    }
    leaves(record.cpu, record.ts, expected ? end : EndState::Lost, record.offset);
    if (nextTid == 0)
        return;
    Thread &next = scene_.threads.thread(nextTid);
    scene_.threads.rename(next, scene_.texts.get(record.texts[at::kNextComm]));
    runs(record.cpu, record.ts, next, record.numbers[at::kNextPrio], record.offset);
}

// Both sched_waking and sched_wakeup may be there: the first of them counts.
void Sched::waking(const Record &record) {
    const std::int64_t tid = record.numbers[at::kPid];
    if (tid == 0)
        return;
    Thread &thread = scene_.threads.thread(tid);
    if (thread.row.name.empty())
        scene_.threads.rename(thread, scene_.texts.get(record.texts[0]));
    const bool awake =
        thread.hasState && (thread.state == ThreadState::Running || thread.state == ThreadState::Runnable);
    if (!awake)
        enter(thread, ThreadState::Runnable, -1, record.ts, record.offset);
}

// Follows the switch that put the thread to sleep.
void Sched::blockedReason(const Record &record) {
    Thread &thread = scene_.threads.thread(record.numbers[at::kPid]);
    if (thread.uninterruptible)
        thread.state = record.numbers[at::kSecond] != 0 ? ThreadState::BlockedIo : ThreadState::Sleeping;
}

// States as generic kernels number them: created, runnable, running, two kinds of sleep, stopped, dead, destroyed.
void Sched::stated(const Record &record) {
    constexpr std::int64_t kRunning = 3, kLast = 8;
    constexpr EndState kEnds[] = {EndState::Lost,    EndState::Runnable, EndState::Runnable,
                                  EndState::Lost,    EndState::Sleeping, EndState::Uninterruptible,
                                  EndState::Stopped, EndState::Dead,     EndState::Dead};
    Thread &thread = scene_.threads.thread(record.numbers[0]);
    scene_.threads.rename(thread, scene_.texts.get(record.texts[0]));
    const std::int64_t state = record.numbers[1];
    if (state == kRunning && record.cpu >= 0) {
        leaves(record.cpu, record.ts, EndState::Lost, record.offset);
        return runs(record.cpu, record.ts, thread, record.numbers[2], record.offset);
    }
    if (state < 0 || state > kLast)
        return;
    const bool running = thread.hasState && thread.state == ThreadState::Running && thread.cpu >= 0;
    if (running && cpu(thread.cpu).running == &thread)
        leaves(thread.cpu, record.ts, kEnds[state], record.offset);
    else
        rest(thread, record.ts, kEnds[state], record.offset);
}

void Sched::finish() {
    for (auto &[number, processor] : cpus_)
        if (processor.running)
            writeSlice(processor, processor.since - 1, EndState::Runnable);
    for (const Thread &thread : scene_.threads.all())
        if (thread.hasState)
            scene_.builder.threadState({thread.row.id, thread.since, -1, thread.state, thread.cpu}, {});
}

}  // namespace wattproof::importers::ftrace
