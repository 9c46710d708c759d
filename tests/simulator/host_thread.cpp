#include "tests/simulator/host_thread.h"

#include <utility>

namespace wattproof::simulator {

void HostThread::run(Ns now, const std::function<bool(int)> &ended, const std::function<void(int, int)> &launch) {
    while (!finished()) {
        if (!started_) {
            if (now < readyAt_)
                return;
            startStep(now);
        }
        if (now < readyAt_)
            return;
        const HostStep &step = steps_[next_];
        blocked_ = step.kind == HostStep::Kind::Synchronize && !ended(step.operation);
        if (blocked_)
            return;
        completeStep(now, launch);
    }
}

void HostThread::startStep(Ns now) {
    started_ = true;
    begunAt_ = now;
    readyAt_ = now + steps_[next_].duration;
}

void HostThread::completeStep(Ns now, const std::function<void(int, int)> &launch) {
    const HostStep &step = steps_[next_];
    switch (step.kind) {
        case HostStep::Kind::Begin:
            openSlice(step, now);
            break;
        case HostStep::Kind::End:
            closeSlice(now);
            break;
        case HostStep::Kind::Work:
        case HostStep::Kind::Wait:
            break;
        case HostStep::Kind::Synchronize:
            recordCall(step, now);
            break;
        case HostStep::Kind::Launch:
            recordCall(step, now);
            launch(step.operation, correlation_);
            break;
    }
    started_ = false;
    ++next_;
}

void HostThread::openSlice(const HostStep &step, Ns now) {
    open_.push_back({slices_.size(), step.units > 0});
    HostSlice slice;
    slice.name = step.name;
    slice.category = step.category;
    slice.range = {now, now};
    slice.iteration = step.iteration;
    slices_.push_back(std::move(slice));
    if (step.units > 0)
        iterations_.push_back({step.iteration, {now, now}, step.units});
}

void HostThread::closeSlice(Ns now) {
    slices_[open_.back().slice].range.end = now;
    if (open_.back().isIteration)
        iterations_.back().range.end = now;
    open_.pop_back();
}

void HostThread::recordCall(const HostStep &step, Ns now) {
    HostSlice slice;
    slice.name = step.name;
    slice.category = step.category;
    slice.range = {begunAt_, now};
    slice.iteration = step.iteration;
    slice.correlation = ++correlation_;
    slice.launches = step.kind == HostStep::Kind::Launch;
    slices_.push_back(std::move(slice));
}

const char *HostThread::activity() const {
    if (finished())
        return "finished";
    switch (steps_[next_].kind) {
        case HostStep::Kind::Wait:
            return "wait";
        case HostStep::Kind::Launch:
            return "launch";
        case HostStep::Kind::Synchronize:
            return "synchronize";
        default:
            return "work";
    }
}

void HostThread::moveResults(Trace &trace) {
    trace.host = std::move(slices_);
    trace.iterations = std::move(iterations_);
}

}  // namespace wattproof::simulator
