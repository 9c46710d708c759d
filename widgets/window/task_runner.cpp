#include "widgets/window/task_runner.h"

#include "report/report.h"

#include <algorithm>
#include <thread>

namespace wattproof::widgets {
namespace {

QString remainingText(qint64 seconds) {
    const qint64 hours = seconds / 3600;
    const QString tail = QStringLiteral("%1:%2")
                             .arg(seconds / 60 % 60, hours > 0 ? 2 : 1, 10, QLatin1Char('0'))
                             .arg(seconds % 60, 2, 10, QLatin1Char('0'));
    return hours > 0 ? QStringLiteral("%1:%2").arg(hours).arg(tail) : tail;
}

QString rateText(double perSecond, const std::string &unit) {
    if (unit == "bytes")
        return QString::fromStdString(report::quantity(perSecond, "B/s"));
    return QStringLiteral("%1/s").arg(QString::fromStdString(report::quantity(perSecond, unit)));
}

// Shorter than this a rate is noise.
constexpr qint64 kLeastMeasuredMs = 300;

}  // namespace

TaskProgress ProgressMeter::measure(const ProgressReport &progress, qint64 elapsedMs) {
    if (progress.stage != stage_) {
        stage_ = progress.stage;
        stageBeginMs_ = elapsedMs;
        stageBeginDone_ = progress.done;
    }
    TaskProgress line;
    line.stage = QString::fromStdString(progress.stage);
    if (progress.total > 0)
        line.fraction = std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
    const qint64 ms = elapsedMs - stageBeginMs_;
    if (ms < kLeastMeasuredMs || progress.done <= stageBeginDone_)
        return line;
    const double perSecond =
        static_cast<double>(progress.done - stageBeginDone_) * 1000.0 / static_cast<double>(ms);
    line.rate = rateText(perSecond, progress.unit);
    if (progress.total > progress.done)
        line.remaining =
            remainingText(static_cast<qint64>(static_cast<double>(progress.total - progress.done) / perSecond) + 1);
    return line;
}

struct TaskRunner::Running {
    TaskNumber number = 0;
    QString title;
    TaskProgress line;
    ProgressMeter meter;
    QElapsedTimer clock;
    std::jthread thread;  // last: joined before the rest goes
};

TaskRunner::TaskRunner(QObject *parent) : QObject(parent) {}

TaskRunner::~TaskRunner() {
    cancelAll();
    running_.clear();
}

TaskNumber TaskRunner::launch(const QString &title, Place where, std::function<Continuation(const Task &)> work) {
    auto task = std::make_unique<Running>();
    const TaskNumber number = ++last_;
    task->number = number;
    task->title = title;
    task->line.stage = title;
    task->clock.start();
    task->thread = std::jthread([this, number, work = std::move(work)](std::stop_token stop) mutable {
        const auto progress = [this, number](const ProgressReport &report) {
            QMetaObject::invokeMethod(
                this, [this, number, report] { progressed(number, report); }, Qt::QueuedConnection);
        };
        const Continuation continuation = work(Task{progress, stop});
        QMetaObject::invokeMethod(
            this, [this, number, continuation] { finish(number, continuation); }, Qt::QueuedConnection);
    });
    running_.insert(where == Place::Front ? running_.end() : running_.begin(), std::move(task));
    emit changed();
    return number;
}

void TaskRunner::finish(TaskNumber number, const Continuation &continuation) {
    const auto found =
        std::find_if(running_.begin(), running_.end(), [number](const auto &t) { return t->number == number; });
    if (found == running_.end())
        return;
    running_.erase(found);
    continuation();
    emit changed();
}

void TaskRunner::progressed(TaskNumber number, const ProgressReport &report) {
    if (Running *task = find(number)) {
        task->line = task->meter.measure(report, task->clock.elapsed());
        emit changed();
    }
}

TaskRunner::Running *TaskRunner::find(TaskNumber number) const {
    for (const auto &task : running_)
        if (task->number == number)
            return task.get();
    return nullptr;
}

void TaskRunner::cancel(TaskNumber number) {
    if (Running *task = find(number))
        task->thread.request_stop();
}

void TaskRunner::cancelAll() {
    for (const auto &task : running_)
        task->thread.request_stop();
}

TaskProgress TaskRunner::current() const {
    if (running_.empty())
        return {};
    TaskProgress line = running_.back()->line;
    line.number = running_.back()->number;
    line.title = running_.back()->title;
    return line;
}

}  // namespace wattproof::widgets
