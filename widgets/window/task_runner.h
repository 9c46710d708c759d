// Long work off the interface thread: import, analysis, alignment, export. Each task has a thread, a stop token
// and a progress line with rate and remaining time; its answer arrives as a call on this object's thread.
#pragma once

#include "store/task.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QString>

namespace wattproof::widgets {

using TaskNumber = quint64;  // 0 = none

// One line of the status bar. Unknown parts are empty; fraction is in 0…1.
struct TaskProgress {
    TaskNumber number = 0;
    QString title, stage, rate, remaining;
    std::optional<double> fraction;
};

// Rate and remaining time of one stage, from its reports. Pure, so that tests can feed it with times of their own.
class ProgressMeter {
public:
    // elapsedMs: since the task began.
    [[nodiscard]] TaskProgress measure(const ProgressReport &, qint64 elapsedMs);

private:
    std::string stage_;
    qint64 stageBeginMs_ = 0;
    std::uint64_t stageBeginDone_ = 0;
};

class TaskRunner : public QObject {
    Q_OBJECT

public:
    explicit TaskRunner(QObject *parent = nullptr);
    ~TaskRunner() override;  // stops everything and waits

    // work: const Task& -> T on a thread of its own. done: T on this object's thread, also after a cancel (the
    // work then returns what it returns when stopped), but not once the runner is gone.
    // where: Behind shows its line only while nothing else runs.
    enum class Place { Front, Behind };
    template <class Work, class Done>
    TaskNumber start(const QString &title, Work work, Done done, Place where = Place::Front) {
        return launch(title, where, [work = std::move(work), done = std::move(done)](const Task &task) mutable {
            auto result = std::make_shared<decltype(work(task))>(work(task));
            return Continuation([done, result]() mutable { done(std::move(*result)); });
        });
    }

    void cancel(TaskNumber);
    void cancelAll();
    [[nodiscard]] bool isBusy() const { return !running_.empty(); }
    // The task in front that was started last, for the status bar; number 0 when there is none.
    [[nodiscard]] TaskProgress current() const;

signals:
    void changed();  // a task began, progressed or ended

private:
    using Continuation = std::function<void()>;
    struct Running;

    TaskNumber launch(const QString &title, Place where, std::function<Continuation(const Task &)> work);
    void finish(TaskNumber, const Continuation &);
    void progressed(TaskNumber, const ProgressReport &);
    [[nodiscard]] Running *find(TaskNumber) const;

    std::vector<std::unique_ptr<Running>> running_;
    TaskNumber last_ = 0;
};

}  // namespace wattproof::widgets
