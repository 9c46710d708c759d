// The scheduler's events become, by processor, slices of what ran and, by thread, the states it was in.
#pragma once

#include "importers/ftrace/scene.h"

#include <map>

namespace wattproof::importers::ftrace {

// What prev_state of sched_switch says, whichever kernel wrote it: "S", "D|K", "R+", or the kernel's bits.
enum class EndState : std::uint8_t { Runnable, Preempted, Sleeping, Uninterruptible, Stopped, Dead, Idle, Lost };
[[nodiscard]] EndState endStateOfBits(std::int64_t bits);
[[nodiscard]] EndState endStateOfText(std::string_view letters);
// The letter that tools show: R, R+, S, D, T, X, I; ? where events were lost and the state is not known.
[[nodiscard]] std::string_view letterOf(EndState);

class Sched {
public:
    explicit Sched(Scene &scene) : scene_(scene) {}

    void switched(const Record &);  // numbers[kPrevState] is an EndState
    void waking(const Record &);
    void blockedReason(const Record &);
    // A state that a source states by itself: numbers are tid, state (TaskState below), priority, cpu.
    void stated(const Record &);
    // Ends at the last event: what still runs, waits or sleeps does so to the end of the trace.
    void finish();

    // For sources that tell states one by one instead of switches.
    void runs(std::int32_t cpu, Ns ts, Thread &, std::int64_t priority, std::uint64_t offset);
    void leaves(std::int32_t cpu, Ns ts, EndState, std::uint64_t offset);
    void enter(Thread &, ThreadState, std::int32_t cpu, Ns ts, std::uint64_t offset);

private:
    struct Cpu {
        TrackId track;
        Thread *running = nullptr;
        StringId name;
        Ns since = 0;
        std::int64_t priority = 0;
        std::uint64_t offset = 0;
    };

    [[nodiscard]] Cpu &cpu(std::int32_t number);
    void closeState(Thread &, Ns ts, std::uint64_t offset);
    void rest(Thread &, Ns ts, EndState, std::uint64_t offset);
    void writeSlice(const Cpu &, Ns end, EndState);

    Scene &scene_;
    std::map<std::int32_t, Cpu> cpus_;
};

}  // namespace wattproof::importers::ftrace
