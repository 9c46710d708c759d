// The window's ways to find something: slices, tracks, commands.
#include "widgets/search/command_items.h"
#include "widgets/search/quick_list.h"
#include "widgets/search/search_bar.h"
#include "widgets/search/track_items.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/window/main_window.h"
#include "widgets/window/session_view.h"

#include <QAction>
#include <QMenuBar>
#include <QSettings>

namespace wattproof::widgets {
namespace {

const char *const kRecentCommands = "commands/recent";

}  // namespace

void MainWindow::find() {
    search_->begin();
}

void MainWindow::findNext() {
    search_->step(1);
}

void MainWindow::findPrevious() {
    search_->step(-1);
}

void MainWindow::openQuickList(std::vector<QuickItem> items, const QString &prompt, const QString &none,
                               void (MainWindow::*chosen)(const QString &key)) {
    if (!quick_)
        quick_ = new QuickList(this);
    disconnect(quick_, &QuickList::chosen, this, nullptr);
    connect(quick_, &QuickList::chosen, this, chosen);
    quick_->open(std::move(items), prompt, none);
}

void MainWindow::findTrack() {
    if (view_)
        openQuickList(trackItems(view_->timeline()->tree(), RunData::of(document_->session())->tables()),
                      tr("Go to a track: process, thread, stream, counter, pid, tid"), tr("No such track"),
                      &MainWindow::goToTrack);
}

void MainWindow::goToTrack(const QString &key) {
    if (!view_)
        return;
    const std::vector<TrackNode> &nodes = view_->timeline()->tree().nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].key == key.toStdString())
            return view_->timeline()->revealNode(static_cast<int>(i));
}

void MainWindow::showCommands() {
    const QString why = document_->session() ? tr("not available now") : tr("nothing is open");
    Commands all = commandsOf(menuBar(), settings_->value(kRecentCommands).toStringList(), why);
    commands_ = std::move(all.actions);
    openQuickList(std::move(all.items), tr("Run a command"), tr("No such command"), &MainWindow::runCommand);
}

void MainWindow::runCommand(const QString &key) {
    const QPointer<QAction> action = commands_.value(key);
    if (!action || !action->isEnabled())
        return;
    settings_->setValue(kRecentCommands, withLatest(settings_->value(kRecentCommands).toStringList(), key));
    action->trigger();
}

}  // namespace wattproof::widgets
