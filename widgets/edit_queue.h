// Runs the user's edits, in order, on one thread of its own: the interface never waits for the file. Answers
// arrive on this object's thread; after each edit `changed` tells what can be undone.
#pragma once

#include "store/edits.h"
#include "store/workspace.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include <QObject>
#include <QPointer>
#include <QString>

namespace wattproof::widgets {

class EditQueue : public QObject {
    Q_OBJECT

public:
    explicit EditQueue(std::shared_ptr<store::Workspace> workspace, QObject *parent = nullptr);
    ~EditQueue() override;  // finishes what was asked for, then joins

    // work: Edits& -> T on the queue's thread. answer: T on this object's thread, dropped when the receiver is
    // gone.
    template <class Work, class Answer>
    void ask(const QObject *receiver, Work work, Answer answer) {
        QPointer<const QObject> alive(receiver);
        push([this, alive, work = std::move(work), answer = std::move(answer)](store::Edits &edits) mutable {
            auto result = std::make_shared<decltype(work(edits))>(work(edits));
            post([alive, answer, result]() mutable {
                if (alive)
                    answer(std::move(*result));
            });
        });
    }

    // An edit: on success `changed` and `applied` follow, on failure `failed` with a sentence.
    void apply(std::function<Status(store::Edits &)> edit);
    // The same for an edit of a view state: no data differ, so that `changed` alone follows.
    void changeViewState(const std::string &key, const std::string &value, const std::string &phrase);
    // What changed view states is followed by `viewStatesChanged` in place of `applied`.
    // `inputsChanged` follows when alignments or scenario differ afterwards, whatever the edit was.
    void undo();
    void redo();
    void setAlignment(const store::Alignment &);

    [[nodiscard]] QString undoText() const { return undoText_; }
    [[nodiscard]] QString redoText() const { return redoText_; }
    void refresh();   // reads undoText and redoText again
    void waitIdle();  // for tests

signals:
    void changed();        // undoText, redoText
    void applied();        // the data differ: panes ask again
    void viewStatesChanged();
    void inputsChanged();  // alignments or scenario: the analysis is out of date
    void failed(const QString &sentence);

private:
    void push(std::function<void(store::Edits &)> job);
    void post(std::function<void()> call);
    void run(const std::stop_token &);
    struct Effect {
        bool data = true, viewStates = false, inputs = false;
    };
    void edited(const Status &status, store::Edits &edits, Effect effect);
    void step(Status (store::Edits::*way)());

    std::shared_ptr<store::Workspace> workspace_;
    QString undoText_, redoText_;
    std::mutex mutex_;
    std::condition_variable_any wake_, idle_;
    std::deque<std::function<void(store::Edits &)>> jobs_;
    bool working_ = false;
    std::jthread thread_;  // last: joined before the rest goes
};

}  // namespace wattproof::widgets
