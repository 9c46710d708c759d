// The device's queues: operations of one stream run one after the other, streams run beside each other.
#pragma once

#include "tests/simulator/program.h"

#include <deque>
#include <map>
#include <vector>

namespace wattproof::simulator {

class Streams {
public:
    explicit Streams(std::vector<PlannedOperation> &operations);

    void launch(int operation, int correlation, Ns readyAt);
    // Ends what is through and starts what can start at `now`; clock: share of the maximum. True when the load
    // changed.
    bool update(Ns now, double clock);
    // Lets the running operations work for `ns` at the clock of the last update.
    void progress(Ns ns);

    [[nodiscard]] Ns nextEvent(Ns now) const;
    [[nodiscard]] bool ended(int operation) const;  // -1: everything launched
    [[nodiscard]] const std::vector<int> &running() const { return running_; }
    [[nodiscard]] double watts() const;  // of the running operations at full clock

private:
    struct State {
        Ns readyAt = 0;
        double leftNs = 0;  // of work
        bool ended = false;
    };
    struct Queue {
        std::deque<int> waiting;
        int current = -1;
    };
    [[nodiscard]] bool canStart(int operation) const;
    [[nodiscard]] double rate(int operation) const;
    bool endFinished(Ns now);
    bool startReady(Ns now);

    std::vector<PlannedOperation> &operations_;
    std::vector<State> states_;
    std::map<int, Queue> queues_;
    std::vector<int> running_;
    double clock_ = 1;
    int launched_ = 0, endedCount_ = 0;
};

}  // namespace wattproof::simulator
