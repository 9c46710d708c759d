#include "tests/simulator/streams.h"

#include "tests/simulator/host_thread.h"
#include "tests/simulator/power_model.h"

#include <algorithm>
#include <cmath>

namespace wattproof::simulator {

namespace {

constexpr double kThrough = 0.5;  // ns of work left that count as none

}  // namespace

Streams::Streams(std::vector<PlannedOperation> &operations) : operations_(operations), states_(operations.size()) {
    for (std::size_t index = 0; index < operations.size(); ++index)
        states_[index].leftNs = operations[index].workNs;
}

void Streams::launch(int operation, int correlation, Ns readyAt) {
    const auto index = static_cast<std::size_t>(operation);
    operations_[index].what.correlation = correlation;
    states_[index].readyAt = readyAt;
    queues_[operations_[index].what.stream].waiting.push_back(operation);
    ++launched_;
}

double Streams::rate(int operation) const {
    return workRate(operations_[static_cast<std::size_t>(operation)].computeShare, clock_);
}

void Streams::progress(Ns ns) {
    for (const int operation : running_)
        states_[static_cast<std::size_t>(operation)].leftNs -= static_cast<double>(ns) * rate(operation);
}

bool Streams::update(Ns now, double clock) {
    clock_ = clock;
    const bool ended = endFinished(now);
    const bool started = startReady(now);
    return ended || started;
}

bool Streams::endFinished(Ns now) {
    bool changed = false;
    for (auto &[stream, queue] : queues_) {
        if (queue.current < 0 || states_[static_cast<std::size_t>(queue.current)].leftNs > kThrough)
            continue;
        states_[static_cast<std::size_t>(queue.current)].ended = true;
        operations_[static_cast<std::size_t>(queue.current)].what.range.end = now;
        running_.erase(std::find(running_.begin(), running_.end(), queue.current));
        queue.current = -1;
        ++endedCount_;
        changed = true;
    }
    return changed;
}

bool Streams::canStart(int operation) const {
    const std::vector<int> &after = operations_[static_cast<std::size_t>(operation)].after;
    return std::all_of(after.begin(), after.end(), [&](int other) { return ended(other); });
}

bool Streams::startReady(Ns now) {
    bool changed = false;
    for (auto &[stream, queue] : queues_) {
        if (queue.current >= 0 || queue.waiting.empty())
            continue;
        const int head = queue.waiting.front();
        if (states_[static_cast<std::size_t>(head)].readyAt > now || !canStart(head))
            continue;
        queue.waiting.pop_front();
        queue.current = head;
        operations_[static_cast<std::size_t>(head)].what.range.begin = now;
        running_.push_back(head);
        changed = true;
    }
    return changed;
}

bool Streams::ended(int operation) const {
    return operation < 0 ? endedCount_ == launched_ : states_[static_cast<std::size_t>(operation)].ended;
}

Ns Streams::nextEvent(Ns now) const {
    Ns next = kNever;
    for (const int operation : running_) {
        const double left = states_[static_cast<std::size_t>(operation)].leftNs / rate(operation);
        next = std::min(next, now + std::max<Ns>(1, static_cast<Ns>(std::ceil(left))));
    }
    for (const auto &[stream, queue] : queues_) {
        if (queue.current >= 0 || queue.waiting.empty())
            continue;
        const Ns ready = states_[static_cast<std::size_t>(queue.waiting.front())].readyAt;
        if (ready > now)
            next = std::min(next, ready);
    }
    return next;
}

double Streams::watts() const {
    double sum = 0;
    for (const int operation : running_)
        sum += operations_[static_cast<std::size_t>(operation)].what.watts;
    return sum;
}

}  // namespace wattproof::simulator
