#include "widgets/edit_queue.h"

#include <string>
#include <tuple>
#include <vector>

namespace wattproof::widgets {
namespace {

// What the analysis depends on: the places of sources in time, and the scenario.
struct Inputs {
    std::vector<std::tuple<SourceId, Ns, std::int64_t, Ns>> places;
    std::string scenario;
    bool operator==(const Inputs &) const = default;
};

Inputs inputsOf(store::Edits &edits) {
    Inputs inputs;
    if (const auto alignments = edits.alignments())
        for (const store::Alignment &a : *alignments)
            inputs.places.emplace_back(a.source, a.offset, a.driftPpb, a.anchor);
    inputs.scenario = edits.scenario().value_or("");
    return inputs;
}

}  // namespace

EditQueue::EditQueue(std::shared_ptr<store::Workspace> workspace, QObject *parent)
    : QObject(parent),
      workspace_(std::move(workspace)),
      thread_([this](const std::stop_token &stop) { run(stop); }) {
    refresh();
}

EditQueue::~EditQueue() {
    thread_.request_stop();
    wake_.notify_all();
    thread_.join();
}

void EditQueue::push(std::function<void(store::Edits &)> job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    wake_.notify_all();
}

void EditQueue::post(std::function<void()> call) {
    QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
}

void EditQueue::run(const std::stop_token &stop) {
    std::unique_lock lock(mutex_);
    while (true) {
        working_ = false;
        idle_.notify_all();
        wake_.wait(lock, [&] { return !jobs_.empty() || stop.stop_requested(); });
        if (jobs_.empty())
            return;
        working_ = true;
        const auto job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job(workspace_->edits());
        lock.lock();
    }
}

void EditQueue::waitIdle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return jobs_.empty() && !working_; });
}

void EditQueue::edited(const Status &status, store::Edits &edits, Effect effect) {
    const bool ok = status.has_value();
    const QString sentence = ok ? QString() : QString::fromStdString(status.error().sentence());
    const QString undoable = QString::fromStdString(edits.undoText());
    const QString redoable = QString::fromStdString(edits.redoText());
    post([this, ok, sentence, undoable, redoable, effect] {
        undoText_ = undoable;
        redoText_ = redoable;
        emit changed();
        if (!ok)
            emit failed(sentence);
        else if (effect.data)
            emit applied();
        if (effect.viewStates)
            emit viewStatesChanged();
        if (effect.inputs)
            emit inputsChanged();
    });
}

void EditQueue::apply(std::function<Status(store::Edits &)> edit) {
    push([this, edit = std::move(edit)](store::Edits &edits) {
        const Inputs before = inputsOf(edits);
        const Status status = edit(edits);
        edited(status, edits, {true, false, inputsOf(edits) != before});
    });
}

void EditQueue::changeViewState(const std::string &key, const std::string &value, const std::string &phrase) {
    push([this, key, value, phrase](store::Edits &edits) {
        edited(edits.changeViewState(key, value, phrase), edits, {false, false, false});
    });
}

void EditQueue::undo() {
    step(&store::Edits::undo);
}

void EditQueue::redo() {
    step(&store::Edits::redo);
}

// One entry of the log concerns either view states or data.
void EditQueue::step(Status (store::Edits::*way)()) {
    push([this, way](store::Edits &edits) {
        const Inputs before = inputsOf(edits);
        const auto views = edits.viewStates();
        const Status status = (edits.*way)();
        const auto now = edits.viewStates();
        const bool viewStates = views && now && *views != *now;
        edited(status, edits, {!viewStates, viewStates, inputsOf(edits) != before});
    });
}

void EditQueue::setAlignment(const store::Alignment &alignment) {
    apply([alignment](store::Edits &edits) { return edits.setAlignment(alignment); });
}

void EditQueue::refresh() {
    push([this](store::Edits &edits) {
        const QString undoable = QString::fromStdString(edits.undoText());
        const QString redoable = QString::fromStdString(edits.redoText());
        post([this, undoable, redoable] {
            undoText_ = undoable;
            redoText_ = redoable;
            emit changed();
        });
    });
}

}  // namespace wattproof::widgets
