// What a document does with the sources it has: reads one anew, takes one out, looks whether the file is whole.
#include "widgets/window/document.h"

#include <QFileInfo>

namespace wattproof::widgets {
namespace {

QString nameOf(const SourceEntry &source) {
    return QFileInfo(QString::fromStdString(source.row.path)).fileName();
}

}  // namespace

void Document::importAgain(const SourceEntry &source, const QString &file, const TracePart &part) {
    if (!session_)
        return;
    run(
        changing_, tr("Importing %1 again").arg(nameOf(source)),
        [service = service_, workspace = session_->sharedWorkspace(), id = source.row.id,
         path = file.toStdString(), part](const Task &task) {
            return service->importAgain(*workspace, id, path, part, task);
        },
        [this, source, file, part](Expected<ImportOutcome> &&outcome) {
            if (outcome) {
                tellOutcome(*outcome);
                takeChange();
                return;
            }
            const bool stopped = isCancelled(outcome.error());
            tell(stopped ? Severity::Info : Severity::Error,
                 stopped ? tr("Importing %1 again was cancelled; it stays as it was.").arg(nameOf(source))
                         : QString::fromStdString(outcome.error().sentence()),
                 QStringLiteral("sources"), tr("Try again"),
                 [this, source, file, part] { importAgain(source, file, part); });
        });
}

void Document::removeSource(const SourceEntry &source) {
    if (!session_)
        return;
    run(
        changing_, tr("Removing %1").arg(nameOf(source)),
        [workspace = session_->sharedWorkspace(), id = source.row.id](const Task &task) {
            return workspace->removeSource(id, task);
        },
        [this](Status &&removed) {
            // A cancel stops the sweeping alone: the source is out of every view by then.
            if (removed || isCancelled(removed.error()))
                takeChange();
            else
                tell(Severity::Error, QString::fromStdString(removed.error().sentence()),
                     QStringLiteral("sources"));
        });
}

void Document::takeChange() {
    // What was selected may be gone; the findings are of a run that is no longer there.
    session_->view().clearSelection();
    session_->setAnalysis(nullptr);
    sourcesChanged();
}

void Document::importAnew() {
    if (!session_)
        return;
    const QString before = QString::fromStdString(session_->workspace().path());
    run(
        opening_, tr("Importing the sources of %1 again").arg(title()),
        [service = service_, folder = cacheFolder_.toStdString(),
         workspace = session_->sharedWorkspace()](const Task &task) {
            return importSourcesAnew(Loading{*service, folder, nullptr}, *workspace, task);
        },
        [this, before](Expected<Rebuilt> &&rebuilt) {
            if (!rebuilt) {
                const bool stopped = isCancelled(rebuilt.error());
                tell(stopped ? Severity::Info : Severity::Error,
                     stopped ? tr("Importing again was cancelled; nothing was changed.")
                             : QString::fromStdString(rebuilt.error().sentence()),
                     QStringLiteral("check"), tr("Try again"), [this] { importAnew(); });
                return;
            }
            QStringList paths;
            for (const std::string &file : rebuilt->files)
                paths << QString::fromStdString(file);
            install(rebuilt->opened, paths);
            tell(Severity::Info,
                 tr("This is a new workspace of the same sources; the damaged one stays as it is, with its notes: %1")
                     .arg(before),
                 QStringLiteral("check"), tr("Save…"), [this] { emit saveWanted(); });
        });
}

void Document::startCheck() {
    if (!session_)
        return;
    run(
        checking_, tr("Checking %1").arg(title()),
        [workspace = session_->sharedWorkspace()](const Task &task) { return workspace->check(task.stop); },
        [this](Expected<std::vector<std::string>> &&problems) { finishCheck(std::move(problems)); },
        TaskRunner::Place::Behind);
}

void Document::finishCheck(Expected<std::vector<std::string>> &&problems) {
    if (!problems) {
        if (!isCancelled(problems.error()))
            tell(Severity::Error, QString::fromStdString(problems.error().sentence()), QStringLiteral("check"));
        return;
    }
    emit checked(problems->empty());
    if (problems->empty())
        return;
    const QString path = QString::fromStdString(session_->workspace().path());
    tell(Severity::Error,
         tr("This workspace is damaged, and what is shown of it may be wrong (%1: %2): import its sources again into a "
            "new one.")
             .arg(path, QString::fromStdString(problems->front())),
         QStringLiteral("check"), tr("Import again"), [this] { importAnew(); });
}

}  // namespace wattproof::widgets
