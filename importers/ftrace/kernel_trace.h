// All kernel events of one source: taken in any order, put in order of time, and turned into tracks of processors,
// thread states, slices and counters.
#pragma once

#include "importers/ftrace/event.h"
#include "importers/ftrace/threads.h"
#include "importers/ftrace/tracks.h"
#include "importers/trace/trace_builder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace wattproof::importers::ftrace {

class KernelTrace {
public:
    // memoryBudget: bytes of events held before a sorted run goes to a temporary file. Devices and counters are
    // made through `tracks`, which may be shared with others.
    KernelTrace(Tracks &tracks, TraceBuilder &, std::size_t memoryBudget = std::size_t{256} << 20U);
    ~KernelTrace();
    KernelTrace(const KernelTrace &) = delete;
    KernelTrace &operator=(const KernelTrace &) = delete;

    // Nothing of the event is referred to afterwards. Kinds that are not shown are counted by name.
    void take(const FtraceEvent &);
    // What a list of processes says at a time: name may be empty, parent -1; start in ns since the machine's.
    void processInfo(Ns ts, std::int64_t pid, std::int64_t parent, std::string_view name, std::uint64_t offset,
                     std::optional<Ns> start = {});
    void threadInfo(Ns ts, std::int64_t tid, std::int64_t tgid, std::string_view name, std::uint64_t offset);

    // A counter of a process, or of none (pid < 0); unit in SI.
    void sample(Ns ts, std::int64_t pid, std::string_view name, std::string_view unit, double value,
                std::uint64_t offset);

    // `uname -m` of the machine: names its system calls.
    void setMachine(std::string machine);
    // Added to the times of all events: where the recorder says how its clock relates to another.
    void setShift(Ns shift);
    // Events before this stated time only say who threads are: recorders start late on some processors.
    void setStart(Ns ts);

    // For handing over processes and threads that are known from elsewhere, before finish().
    [[nodiscard]] Threads &threads();

    [[nodiscard]] std::int64_t events() const;  // taken so far
    // Replays everything into the builder and writes processes and threads. Before TraceBuilder::finish().
    [[nodiscard]] Status finish(const Task &);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace wattproof::importers::ftrace
