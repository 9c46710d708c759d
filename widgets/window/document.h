// What is open, and how it came to be open: imports, opens, aligns and analyses on other threads. Whatever fails
// or is cancelled, the session that was open stays.
#pragma once

#include "widgets/import_service.h"
#include "widgets/session.h"
#include "widgets/window/banner.h"
#include "widgets/window/loading.h"
#include "widgets/window/task_runner.h"

#include <functional>
#include <memory>
#include <optional>

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace wattproof::widgets {

class Document : public QObject {
    Q_OBJECT

public:
    // cacheFolder: where workspaces of directly opened traces live; made when needed.
    Document(std::shared_ptr<ImportService> service, QString cacheFolder, QObject *parent = nullptr);
    ~Document() override;

    [[nodiscard]] Session *session() { return session_.get(); }  // null: nothing is open
    [[nodiscard]] TaskRunner &tasks() { return tasks_; }
    [[nodiscard]] ImportService &service() { return *service_; }
    [[nodiscard]] bool isOpening() const { return opening_.task != 0; }
    [[nodiscard]] QString title() const;   // of the open workspace, by the files it was opened from
    [[nodiscard]] bool isInCache() const;  // opened from data files and not yet saved elsewhere

    // Workspaces are opened, data files are imported together, of traces only the part. A later call replaces one
    // that is still running.
    void open(const QStringList &paths, const Wishes &wishes = {});
    void add(const QStringList &paths, const Wishes &wishes = {});  // opens them when nothing is open
    // As open or add, but asks first: what the files are (importWanted) unless that is clear, and which part is wanted
    // (partWanted) of one so large that a part may be enough. always: asks although it is clear.
    void offer(const QStringList &paths, Way, bool always = false);
    void setLargeFile(std::uint64_t bytes) { largeFile_ = bytes; }
    void openSample();
    void saveAs(const QString &path);
    void close();

    // Reads a source's file anew, or another one in its place. file empty: where it was imported from.
    void importAgain(const SourceEntry &, const QString &file, const TracePart &);
    void removeSource(const SourceEntry &);
    void importAnew();  // the sources of what is open, which is damaged, into another workspace
    [[nodiscard]] bool isChangingSources() const { return changing_.task != 0; }

    void alignAndAnalyze();      // all power sources the user has not placed himself
    void alignSource(SourceId);  // again, by correlation or wall clock
    void analyze();              // with the stored scenario; replaces one that runs

signals:
    void sessionClosing();  // panes on the old session must go now
    void sessionChanged();  // another workspace, or none
    void notice(const wattproof::widgets::Notice &);
    void opened(const QStringList &paths);                // for the list of recent files
    void stateChanged();                                  // isOpening, title
    void aligned(const wattproof::widgets::Realigned &);  // what the search found and refused

    // What are these files, and how are they to be read?
    void importWanted(const wattproof::widgets::Prospect &prospect, wattproof::widgets::Way);
    // Which part of these files? `large` is the one that takes a while.
    void partWanted(const QStringList &paths, wattproof::widgets::Way,
                    const wattproof::widgets::LargeFile &large);
    void checked(bool whole);  // the open file was read through
    void warningsWanted();     // a notice's button asks for the pane
    void alignmentWanted();
    void saveWanted();

private:
    // Answers of a task that a later one replaced are dropped: each kind of task has a turn.
    struct Turn {
        TaskNumber task = 0;
        int number = 0;
    };

    void finishOpen(const QStringList &paths, const Wishes &, Expected<Opened> &&);
    void finishAdd(const QStringList &paths, const Wishes &, Expected<ImportOutcome> &&);
    void sourcesChanged();
    void takeChange();
    void startCheck();
    void finishCheck(Expected<std::vector<std::string>> &&);
    void finishAlign(Expected<Realigned> &&);
    void finishAnalysis(Expected<analysis::AnalysisResult> &&);
    void install(const Opened &, const QStringList &paths);
    void replaceSession(std::unique_ptr<Session>);
    void startAlign(std::optional<SourceId> only);
    void tellOutcome(const ImportOutcome &);
    void tellMode();
    void tellRefused(const Realigned &);
    void tell(Severity, const QString &text, const QString &key, const QString &actionText = {},
              std::function<void()> action = {});
    void askExtent(bool fit);

    template <class Work, class Done>
    void run(Turn &turn, const QString &title, Work work, Done done,
             TaskRunner::Place where = TaskRunner::Place::Front) {
        tasks_.cancel(turn.task);
        const int number = ++turn.number;
        turn.task = tasks_.start(title, std::move(work),
                                 [this, &turn, number, done = std::move(done)](auto &&result) mutable {
                                     if (turn.number != number)
                                         return;
                                     turn.task = 0;
                                     done(std::move(result));
                                     emit stateChanged();
                                 },
                                 where);
        emit stateChanged();
    }

    std::shared_ptr<ImportService> service_;
    QString cacheFolder_;
    std::unique_ptr<Session> session_;
    QStringList openedFrom_;
    std::uint64_t largeFile_ = 1'000'000'000;
    Turn opening_, adding_, changing_, aligning_, analysing_, saving_, looking_, checking_;
    QTimer reanalyse_;   // a drag of edits makes one analysis
    QTimer checkLater_;  // what is on the screen is read first
    TaskRunner tasks_;  // last: its threads end before the session goes
};

}  // namespace wattproof::widgets
