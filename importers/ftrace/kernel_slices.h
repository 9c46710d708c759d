// What begins and ends in the kernel's events: annotations of programs, system calls, interrupts, block requests,
// functions, suspends, GPU jobs. Pairs are found here, in order of time, so that a missing end never takes that of
// a neighbour; what never ends runs to the end of the trace.
#pragma once

#include "importers/ftrace/scene.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::ftrace {

class KernelSlices {
public:
    explicit KernelSlices(Scene &scene) : scene_(scene) {}

    // Names of system calls by number, of the machine that was traced ("x86_64", "aarch64"; else numbers are
    // shown).
    void setMachine(std::string machine) { machine_ = std::move(machine); }

    void mark(const Record &);  // any phase but C
    void syscall(const Record &);
    void kprobe(const Record &);
    void function(const Record &);
    void interrupt(const Record &);
    void work(const Record &);
    void suspend(const Record &);
    void block(const Record &);
    void job(const Record &);
    void finish();

private:
    struct Open {
        TrackId track;
        Ns ts = 0;
        StringId name;
        std::string_view category;
        ArgSetId args;
        std::uint64_t offset = 0;
        bool async = false;
    };
    struct Job {
        std::string ring;
        Ns submitted = 0;
        std::int64_t id = 0;
    };
    // Kind, then what tells pairs of it apart.
    using Key = std::tuple<Kind, std::int64_t, std::int64_t, std::string>;

    [[nodiscard]] Thread &threadOf(const Record &);
    [[nodiscard]] TrackId namedTrack(TrackKind, const std::string &name, std::int64_t pid);
    void begin(const Key &, Open);
    void end(const Key &, const Record &);
    void write(const Open &, Ns end);
    void asyncMark(const Record &);
    void abortSuspend(const Record &);
    void threadPair(const Record &, bool begins, std::string_view name, std::string_view category);

    Scene &scene_;
    std::string machine_;
    std::map<Key, std::vector<Open>> open_;
    std::map<std::int64_t, Job> jobs_;  // by fence
    std::map<std::string, Ns> ringFree_;
    std::uint64_t pairs_ = 0;
};

}  // namespace wattproof::importers::ftrace
