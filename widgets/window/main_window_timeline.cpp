// The menus of what the timeline can be told, under the same words as in the menu of its gutter, and the choices about
// the time axis.
#include "widgets/plot/axis_choices.h"
#include "widgets/timeline/slice_colours.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/window/main_window.h"
#include "widgets/window/session_view.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>

namespace wattproof::widgets {

QAction *MainWindow::makeTimelineAction(QMenu *menu, const QString &name, const QString &text,
                                        const QKeySequence &keys, const std::function<void(TimelinePane &)> &act) {
    QAction *made = menu->addAction(text);
    made->setObjectName(name);
    made->setShortcut(keys);
    timelineActions_ << made;
    connect(made, &QAction::triggered, this, [this, act] {
        if (view_)
            act(*view_->timeline());
    });
    return made;
}

void MainWindow::buildTracksMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&Tracks"));
    for (const TrackCommandEntry &entry : trackCommands())
        makeTimelineAction(menu, QString::fromLatin1(entry.name), entry.words(), entry.keys(),
                           [command = entry.command](TimelinePane &timeline) { timeline.perform(command); });
    // Where plus needs Shift, its key without Shift does as well.
    action(QStringLiteral("track-taller"))->setShortcuts({Qt::ALT | Qt::Key_Plus, Qt::ALT | Qt::Key_Equal});
}

void MainWindow::buildGoMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&Go"));
    for (const HandCommandEntry &entry : handCommands())
        makeTimelineAction(menu, QString::fromLatin1(entry.name), entry.words(), entry.keys(),
                           [command = entry.command](TimelinePane &timeline) { timeline.perform(command); });
    menu->addSeparator();
    QMenu *recall = menu->addMenu(tr("Saved &views")), *save = menu->addMenu(tr("&Save this view"));
    for (int digit = 1; digit <= 9; ++digit) {
        const QString number = QString::number(digit);
        makeTimelineAction(recall, "recall-view-" + number, tr("Go to view &%1").arg(digit), QKeySequence(number),
                           [digit](TimelinePane &timeline) { timeline.recallView(digit); });
        makeTimelineAction(save, "save-view-" + number, tr("Save as view &%1").arg(digit),
                           QKeySequence("Ctrl+" + number), [digit](TimelinePane &timeline) { timeline.saveView(digit); });
    }
}

// Choices about how a run is shown, kept for all workspaces.
void MainWindow::buildChoiceMenus(QMenu *view) {
    using draw::ColourBy, draw::TimeShown;
    const auto time = [](TimeShown shown) {
        return [shown](Session &session) { AxisChoices::of(&session)->setTimeShown(shown); };
    };
    const auto wheel = [](WheelUse use) {
        return [use](Session &session) { AxisChoices::of(&session)->setWheel(use); };
    };
    const auto colour = [](ColourBy by) {
        return [by](Session &session) { SliceColours::of(&session)->choose(by); };
    };
    addChoices(view->addMenu(tr("&Time shown as")), QStringLiteral("time-shown"),
               {{"trace", tr("&Trace time"), time(TimeShown::Trace)},
                {"utc", tr("Wall clock, &UTC"), time(TimeShown::Utc)},
                {"local", tr("Wall clock, &local"), time(TimeShown::Local)},
                {"mark", tr("Relative to the &mark"), time(TimeShown::Mark)}});
    addChoices(view->addMenu(tr("&Wheel")), QStringLiteral("wheel"),
               {{"zoom", tr("&Zoom at the pointer"), wheel(WheelUse::Zoom)},
                {"scroll", tr("&Scroll the tracks"), wheel(WheelUse::Scroll)}});
    addChoices(view->addMenu(tr("Slices &coloured by")), QStringLiteral("slice-colours"),
               {{"class", tr("&Class, else name"), colour(ColourBy::Class)},
                {"name", tr("&Name"), colour(ColourBy::Name)},
                {"precision", tr("&Precision"), colour(ColourBy::Precision)},
                {"power", tr("&Mean power of their name"), colour(ColourBy::Power)}});
}

void MainWindow::addChoices(QMenu *menu, const QString &key, const std::vector<SessionChoice> &choices) {
    auto *group = new QActionGroup(this);
    const QString chosen = settings_->value(key).toString();
    for (const SessionChoice &choice : choices) {
        QAction *made = menu->addAction(choice.text);
        const QString word = QString::fromLatin1(choice.word);
        made->setObjectName(key + QLatin1Char('-') + word);
        made->setCheckable(true);
        group->addAction(made);
        made->setChecked(word == chosen || group->actions().size() == 1);
        sessionChoices_[key].emplace_back(made, choice.apply);
        connect(made, &QAction::triggered, this, [this, key, word] {
            settings_->setValue(key, word);
            applySessionChoices();
        });
    }
}

void MainWindow::applySessionChoices() {
    Session *session = document_->session();
    if (!session)
        return;
    for (const auto &[key, choices] : sessionChoices_)
        for (const auto &[made, apply] : choices)
            if (made->isChecked())
                apply(*session);
}

}  // namespace wattproof::widgets
