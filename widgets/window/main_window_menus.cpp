#include "widgets/search/search_bar.h"
#include "widgets/window/docks.h"
#include "widgets/window/headline_bar.h"
#include "widgets/window/main_window.h"
#include "widgets/window/session_view.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

namespace wattproof::widgets {

QAction *MainWindow::makeAction(QMenu *menu, const QString &name, const QString &text, const QKeySequence &keys,
                                void (MainWindow::*slot)()) {
    QAction *made = menu->addAction(text);
    made->setObjectName(name);
    made->setShortcut(keys);
    connect(made, &QAction::triggered, this, slot);
    return made;
}

QAction *MainWindow::action(const QString &name) const {
    return findChild<QAction *>(name);
}

void MainWindow::buildMenus() {
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildTracksMenu();
    buildGoMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&File"));
    makeAction(menu, "open", tr("&Open…"), QKeySequence::Open, &MainWindow::askOpen);
    makeAction(menu, "add", tr("&Add to workspace…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, &MainWindow::askAdd);
    makeAction(menu, "open-part", tr("&Import a part of a trace…"), Qt::CTRL | Qt::SHIFT | Qt::Key_I,
               &MainWindow::askOpenPart);
    makeAction(menu, "import", tr("Import with &choices…"), Qt::CTRL | Qt::ALT | Qt::Key_O, &MainWindow::askChoices);
    recentMenu_ = menu->addMenu(tr("&Recent"));
    QAction *sample = menu->addAction(tr("Open the &sample"));
    sample->setObjectName("sample");
    connect(sample, &QAction::triggered, document_.get(), &Document::openSample);
    menu->addSeparator();
    makeAction(menu, "sources", tr("So&urces…"), Qt::CTRL | Qt::Key_I, &MainWindow::showSources);
    makeAction(menu, "save-as", tr("&Save workspace as…"), QKeySequence::SaveAs, &MainWindow::askSaveAs);
    makeAction(menu, "export", tr("&Export report…"), Qt::CTRL | Qt::Key_E, &MainWindow::askExport);
    menu->addSeparator();
    makeAction(menu, "close", tr("&Close workspace"), QKeySequence::Close, &MainWindow::closeDocument);
    QAction *quit = menu->addAction(tr("&Quit"));
    quit->setShortcut(QKeySequence::Quit);
    quit->setMenuRole(QAction::QuitRole);
    connect(quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&Edit"));
    makeAction(menu, "undo", tr("&Undo"), QKeySequence::Undo, &MainWindow::undo);
    makeAction(menu, "redo", tr("&Redo"), QKeySequence::Redo, &MainWindow::redo);
    menu->addSeparator();
    makeAction(menu, "note", tr("Add &note"), Qt::Key_N, &MainWindow::addNote);
    makeAction(menu, "align", tr("A&lign clocks"), Qt::CTRL | Qt::Key_L, &MainWindow::align);
    makeAction(menu, "scenario", tr("S&cenario…"), Qt::CTRL | Qt::Key_J, &MainWindow::showScenario);
    makeAction(menu, "analyze", tr("&Analyze"), Qt::Key_F5, &MainWindow::analyze);
    menu->addSeparator();
    makeAction(menu, "find", tr("&Find slices"), QKeySequence::Find, &MainWindow::find)
        ->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)});
    makeAction(menu, "find-next", tr("Find ne&xt"), Qt::Key_F3, &MainWindow::findNext);
    makeAction(menu, "find-previous", tr("Find &previous"), Qt::SHIFT | Qt::Key_F3, &MainWindow::findPrevious);
    menu->addSeparator();
    makeAction(menu, "clear-selection", tr("Clear &selection"), Qt::Key_Escape, &MainWindow::clearSelection);
}

void MainWindow::buildViewMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&View"));
    makeAction(menu, "focus-selection", tr("Show &selection"), Qt::Key_F, &MainWindow::focusSelection);
    makeAction(menu, "find-track", tr("&Go to track…"), Qt::CTRL | Qt::Key_P, &MainWindow::findTrack);
    makeAction(menu, "fit-all", tr("Show the &whole run"), Qt::CTRL | Qt::Key_0, &MainWindow::fitAll);
    menu->addSeparator();
    const std::pair<const char *, QString> panes[] = {
        {"minimap", tr("&Minimap")}, {"overlay", tr("Thermal &overlay")}, {"occupancy", tr("O&ccupancy")}};
    for (const auto &[name, text] : panes) {
        QAction *toggle = menu->addAction(text);
        const QString key = QString::fromLatin1(name);
        toggle->setObjectName(key);
        toggle->setCheckable(true);
        toggle->setChecked(true);
        connect(toggle, &QAction::toggled, this, [this, key](bool shown) {
            if (view_)
                view_->setPaneShown(key, shown);
        });
    }
    menu->addActions(docks_->toggles());
    makeAction(menu, "events-table", tr("F&ind events"), Qt::Key_F7, &MainWindow::showEvents);
    makeAction(menu, "sql-console", tr("Write S&QL"), Qt::Key_F8, &MainWindow::showSql);
    menu->addSeparator();
    buildChoiceMenus(menu);
    QMenu *themes = menu->addMenu(tr("&Theme"));
    auto *group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::System, tr("As the &system")},
                                                       {ThemeChoice::Light, tr("&Light")},
                                                       {ThemeChoice::Dark, tr("&Dark")}};
    for (const auto &[choice, text] : choices) {
        QAction *theme = themes->addAction(text);
        theme->setObjectName(QStringLiteral("theme-") + word(choice));
        theme->setCheckable(true);
        group->addAction(theme);
        connect(theme, &QAction::triggered, this, [this, value = choice] { chooseTheme(value); });
    }
    makeAction(menu, "reset-layout", tr("&Reset layout"), {}, &MainWindow::resetLayout);
}

void MainWindow::buildHelpMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&Help"));
    makeAction(menu, "commands", tr("&Find a command…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P, &MainWindow::showCommands);
    makeAction(menu, "shortcuts", tr("&Keys and gestures"), Qt::Key_Question, &MainWindow::showShortcuts);
    makeAction(menu, "about", tr("&About Wattproof"), {}, &MainWindow::showAbout);
}

void MainWindow::buildToolBar() {
    QToolBar *bar = addToolBar(tr("Tools"));
    bar->setObjectName("tools");
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    bar->setMovable(false);
    const std::pair<const char *, QString> buttons[] = {{"open", tr("Open")},       {"add", tr("Add")},
                                                        {"align", tr("Align")},     {"scenario", tr("Scenario")},
                                                        {"analyze", tr("Analyze")}, {"export", tr("Report")}};
    for (const auto &[name, text] : buttons) {
        QAction *shown = action(QString::fromLatin1(name));
        shown->setIconText(text);
        bar->addAction(shown);
    }
    bar->addWidget(search_);
    addToolBarBreak();
    headlineBar_ = addToolBar(tr("Headline"));
    headlineBar_->setObjectName("headline");
    headlineBar_->setMovable(false);
    headlineBar_->addWidget(headline_);
}

}  // namespace wattproof::widgets
