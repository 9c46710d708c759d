// The host as an agent of the simulation: it walks its program, records slices, launches and blocks.
#pragma once

#include "tests/simulator/program.h"

#include <functional>
#include <limits>
#include <vector>

namespace wattproof::simulator {

inline constexpr Ns kNever = std::numeric_limits<Ns>::max();

class HostThread {
public:
    HostThread(const std::vector<HostStep> &steps, Ns start) : steps_(steps), readyAt_(start) {}

    // Does all that can be done at `now`. ended(i): operation i has ended (-1: all launched ones). launch(i,
    // correlation).
    void run(Ns now, const std::function<bool(int)> &ended, const std::function<void(int, int)> &launch);

    [[nodiscard]] bool finished() const { return next_ == steps_.size(); }
    // When it can go on without the device; kNever while it blocks or when it has finished.
    [[nodiscard]] Ns nextEvent() const { return finished() || blocked_ ? kNever : readyAt_; }
    // "work", "launch", "synchronize", "wait": what it is doing between events.
    [[nodiscard]] const char *activity() const;
    void moveResults(Trace &);

private:
    void startStep(Ns now);
    void completeStep(Ns now, const std::function<void(int, int)> &launch);
    void openSlice(const HostStep &, Ns now);
    void closeSlice(Ns now);
    void recordCall(const HostStep &, Ns now);

    const std::vector<HostStep> &steps_;
    std::size_t next_ = 0;
    Ns readyAt_, begunAt_ = 0;
    bool started_ = false, blocked_ = false;
    int correlation_ = 0;
    std::vector<HostSlice> slices_;
    std::vector<Iteration> iterations_;
    struct Open {
        std::size_t slice;
        bool isIteration;
    };
    std::vector<Open> open_;
};

}  // namespace wattproof::simulator
