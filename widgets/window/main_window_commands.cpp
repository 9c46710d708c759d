#include "report/draw/write_report.h"
#include "store/version.h"
#include "widgets/events/events_pane.h"
#include "widgets/panes/annotations_pane.h"
#include "widgets/panes/selection_pane.h"
#include "widgets/panes/welcome_page.h"
#include "widgets/panes/words.h"
#include "widgets/plot/navigation.h"
#include "widgets/sql/result_files.h"
#include "widgets/sql/result_model.h"
#include "widgets/sql/sql_pane.h"
#include "widgets/window/banner.h"
#include "widgets/window/docks.h"
#include "widgets/window/headline_bar.h"
#include "widgets/window/main_window.h"
#include "widgets/window/scenario_dialog.h"
#include "widgets/window/session_view.h"
#include "widgets/window/shortcuts_dialog.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QSaveFile>
#include <QStandardPaths>
#include <QToolBar>
#include <QUrl>

namespace wattproof::widgets {
namespace {

Status writeText(const QString &path, const QByteArray &text) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit())
        return {};
    return failure("The file cannot be written: " + file.errorString().toStdString(), path.toStdString(),
                   "choose another folder or free some space");
}

}  // namespace

void MainWindow::askSaveAs() {
    QString path =
        QFileDialog::getSaveFileName(this, tr("Save workspace"), document_->title() + QStringLiteral(".wattproof"),
                                     tr("Wattproof workspaces (*.wattproof)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".wattproof");
    document_->saveAs(path);
}

void MainWindow::askExport() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export report"), QFileInfo(document_->title()).completeBaseName() + ".html",
        tr("HTML (*.html);;PDF (*.pdf);;Markdown (*.md);;JSON (*.json)"));
    if (!path.isEmpty())
        exportReport(path);
}

void MainWindow::askCsv() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save numbers by name"),
                                                      QStringLiteral("selection.csv"), tr("CSV (*.csv)"));
    if (!path.isEmpty())
        saveCsv(path);
}

void MainWindow::saveCsv(const QString &path) {
    if (!view_)
        return;
    document_->tasks().start(
        tr("Saving %1").arg(QFileInfo(path).fileName()),
        [path, text = view_->selection()->csv().toUtf8()](const Task &) { return writeText(path, text); },
        [this, path](Status &&saved) { tellSaved(path, saved); });
}

void MainWindow::tellSaved(const QString &path, const Status &saved) {
    if (!saved && isCancelled(saved.error()))
        return;
    banners_->show({saved ? Severity::Info : Severity::Error,
                    saved ? tr("Saved %1").arg(path) : qs(saved.error().sentence()),
                    {},
                    {},
                    QStringLiteral("csv")});
}

void MainWindow::askRows(const QString &suffix) {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the rows of the query"), "query." + suffix,
                                                      QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
    if (!path.isEmpty())
        saveRows(path);
}

void MainWindow::saveRows(const QString &path) {
    if (!view_ || !view_->sql()->model().result())
        return;
    const ResultModel &model = view_->sql()->model();
    document_->tasks().start(
        tr("Saving %1").arg(QFileInfo(path).fileName()),
        [path, result = model.result(), order = model.order()](const Task &task) {
            return writeResult(*result, order, path, task);
        },
        [this, path](Status &&saved) { tellSaved(path, saved); });
}

void MainWindow::showEvents() {
    if (!view_)
        return;
    docks_->raise(Place::Events);
    view_->events()->begin();
}

void MainWindow::showSql() {
    if (!view_)
        return;
    docks_->raise(Place::Sql);
    view_->sql()->begin();
}

void MainWindow::exportReport(const QString &path, bool openAfterwards) {
    Session *session = document_->session();
    if (!session || !session->analysis()) {
        banners_->show({Severity::Info, tr("There is nothing to report yet: the workspace has not been analysed."),
                        tr("Analyze"), [this] { document_->analyze(); }, QStringLiteral("export")});
        return;
    }
    const auto open = [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
    document_->tasks().start(
        tr("Writing %1").arg(QFileInfo(path).fileName()),
        [workspace = session->sharedWorkspace(), result = session->analysis(), target = path.toStdString()](
            const Task &) { return draw::writeReport(*workspace, *result, std::nullopt, target); },
        [this, path, open, openAfterwards](Status &&written) {
            if (!written) {
                banners_->show({Severity::Error, qs(written.error().sentence()), tr("Export elsewhere…"),
                                [this] { askExport(); }, QStringLiteral("export")});
                return;
            }
            banners_->show({Severity::Info, tr("The report is in %1").arg(QDir::toNativeSeparators(path)),
                            tr("Open"), open, QStringLiteral("export")});
            if (openAfterwards)
                open();
        });
}

void MainWindow::openReport() {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::TempLocation);
    exportReport(
        QDir(folder).filePath(QFileInfo(document_->title()).completeBaseName() + QStringLiteral("-report.html")),
        true);
}

void MainWindow::closeDocument() {
    document_->close();
}

void MainWindow::undo() {
    if (Session *session = document_->session())
        session->edits().undo();
}

void MainWindow::redo() {
    if (Session *session = document_->session())
        session->edits().redo();
}

void MainWindow::addNote() {
    if (!view_)
        return;
    docks_->raise(Place::Annotations);
    view_->annotations()->beginNote();
}

void MainWindow::align() {
    if (!view_)
        return;
    docks_->raise(Place::Alignment);
    document_->alignAndAnalyze();
}

void MainWindow::analyze() {
    document_->analyze();
}

void MainWindow::showScenario() {
    if (document_->session())
        showDialog(new ScenarioDialog(document_->session(), this));
}

void MainWindow::showShortcuts() {
    QList<QAction *> bound;
    for (QAction *candidate : findChildren<QAction *>())
        if (!candidate->objectName().isEmpty())
            bound << candidate;
    showDialog(new ShortcutsDialog(bound, this));
}

void MainWindow::showAbout() {
    QMessageBox::about(this, tr("About Wattproof"),
                       tr("<b>Wattproof %1</b><p>Joins what an accelerator did with what it cost.</p>"
                          "<p>Free software under the GNU General Public License, version 3 or later.</p>")
                           .arg(QString::fromLatin1(toolVersion())));
}

void MainWindow::resetLayout() {
    if (!view_)
        return;
    for (const char *name : {"minimap", "overlay", "occupancy"})
        action(QString::fromLatin1(name))->setChecked(true);
    restoreState(firstLayout_, 1);
    docks_->arrange();
    headlineBar_->show();
}

void MainWindow::focusSelection() {
    if (Session *session = document_->session())
        navigate(session->view(), NavigationCommand::FocusSelection);
}

void MainWindow::fitAll() {
    if (Session *session = document_->session())
        session->view().fitAll();
}

void MainWindow::clearSelection() {
    if (Session *session = document_->session())
        session->view().clearSelection();
}

void MainWindow::showUndo() {
    Session *open = document_->session();
    const auto put = [this, open](const char *name, const QString &verb, const QString &what, const QString &nothing) {
        QAction *entry = action(QString::fromLatin1(name));
        entry->setEnabled(open && !what.isEmpty());
        entry->setText(what.isEmpty() ? verb : QStringLiteral("%1 %2").arg(verb, what));
        entry->setWhatsThis(open && what.isEmpty() ? nothing : QString());
    };
    put("undo", tr("&Undo"), open ? open->edits().undoText() : QString(), tr("nothing to undo"));
    put("redo", tr("&Redo"), open ? open->edits().redoText() : QString(), tr("nothing to redo"));
}

void MainWindow::showState() {
    const bool open = document_->session() != nullptr;
    for (const char *name : {"add", "sources", "save-as", "export", "close", "note", "align", "scenario", "analyze",
                             "focus-selection", "fit-all", "clear-selection", "find", "find-next", "find-previous",
                             "find-track", "events-table", "sql-console", "reset-layout"})
        action(QString::fromLatin1(name))->setEnabled(open);
    for (QAction *each : timelineActions_)
        each->setEnabled(open);
    setWindowTitle(open ? tr("%1 — Wattproof").arg(document_->title()) : tr("Wattproof"));
    setWindowFilePath(document_->isInCache() || !open ? QString() : qs(document_->session()->workspace().path()));
}

void MainWindow::showRecent() {
    const QList<QStringList> entries = recent_.entries();
    welcome_->setRecent(entries);
    recentMenu_->clear();
    recentMenu_->setEnabled(!entries.isEmpty());
    for (const QStringList &paths : entries) {
        QString text = QDir::toNativeSeparators(paths.front());
        if (paths.size() > 1)
            text = tr("%1 and %n more", nullptr, static_cast<int>(paths.size()) - 1).arg(text);
        connect(recentMenu_->addAction(text), &QAction::triggered, this,
                [this, paths] { document_->open(paths); });
    }
    recentMenu_->addSeparator();
    connect(recentMenu_->addAction(tr("Clear this list")), &QAction::triggered, this, [this] {
        recent_.clear();
        showRecent();
    });
}

}  // namespace wattproof::widgets
