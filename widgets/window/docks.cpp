#include "widgets/window/docks.h"

#include <algorithm>

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>

namespace wattproof::widgets {
namespace {

struct PlaceFacts {
    const char *name;  // for the stored layout: never changes
    QString title;
    QSize least;
};

PlaceFacts factsOf(Place place) {
    switch (place) {
        case Place::Findings:
            return {"findings", Docks::tr("Findings"), {240, 120}};
        case Place::Details:
            return {"details", Docks::tr("Details"), {240, 120}};
        case Place::Annotations:
            return {"annotations", Docks::tr("Annotations"), {240, 120}};
        case Place::Selection:
            return {"selection", Docks::tr("Selection"), {240, 90}};
        case Place::Events:
            return {"events", Docks::tr("Events"), {240, 90}};
        case Place::Sql:
            return {"sql", Docks::tr("SQL"), {240, 90}};
        case Place::Channels:
            return {"channels", Docks::tr("Channels"), {240, 90}};
        case Place::Warnings:
            return {"warnings", Docks::tr("Warnings"), {240, 90}};
        case Place::Report:
            return {"report", Docks::tr("Report"), {240, 90}};
        case Place::Alignment:
            break;
    }
    return {"alignment", Docks::tr("Alignment"), {240, 90}};
}

bool isOpen(const QDockWidget *dock) {
    return !dock->isHidden();
}

constexpr int kFindingsWidth = 340;
// The axis keeps most of the height: the foot takes a sixth, within what a table needs and can use.
constexpr int kBottomShare = 6, kBottomLeast = 130, kBottomMost = 320;

}  // namespace

Docks::Docks(QMainWindow *window) : QObject(window), window_(window) {
    for (int i = 0; i < kPlaces; ++i) {
        const PlaceFacts facts = factsOf(static_cast<Place>(i));
        auto *dock = new QDockWidget(facts.title, window);
        dock->setObjectName(QString::fromLatin1(facts.name));
        dock->setWidget(new QWidget(dock));
        dock->setMinimumSize(facts.least);
        for (const auto changed : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
            connect(dock, changed, this, &Docks::titleOnce);
        docks_[static_cast<std::size_t>(i)] = dock;
    }
    window->setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks |
                           QMainWindow::AnimatedDocks);
    window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    arrange();
}

QDockWidget *Docks::dock(Place place) const {
    return docks_[static_cast<std::size_t>(place)];
}

void Docks::titleOnce() {
    for (QDockWidget *dock : docks_) {
        const QList<QDockWidget *> beside = window_->tabifiedDockWidgets(dock);
        const bool inTabs = !dock->isFloating() && std::any_of(beside.begin(), beside.end(), isOpen);
        if (inTabs == (dock->titleBarWidget() != nullptr))
            continue;
        QWidget *before = dock->titleBarWidget();
        dock->setTitleBarWidget(inTabs ? new QWidget(dock) : nullptr);
        delete before;
    }
}

void Docks::put(Place place, QWidget *pane) {
    QDockWidget *target = dock(place);
    QWidget *before = target->widget();
    target->setWidget(pane);
    delete before;
}

void Docks::clear() {
    for (int i = 0; i < kPlaces; ++i) {
        const auto place = static_cast<Place>(i);
        put(place, new QWidget(dock(place)));
        dock(place)->setWindowTitle(factsOf(place).title);
    }
}

void Docks::raise(Place place) {
    dock(place)->show();
    dock(place)->raise();
}

void Docks::setTitle(Place place, const QString &title) {
    dock(place)->setWindowTitle(title);
}

QList<QAction *> Docks::toggles() const {
    QList<QAction *> all;
    for (QDockWidget *dock : docks_)
        all << dock->toggleViewAction();
    return all;
}

void Docks::arrange() {
    for (QDockWidget *dock : docks_) {
        dock->setFloating(false);
        dock->show();
    }
    window_->addDockWidget(Qt::RightDockWidgetArea, dock(Place::Findings));
    window_->addDockWidget(Qt::RightDockWidgetArea, dock(Place::Details));
    window_->tabifyDockWidget(dock(Place::Details), dock(Place::Annotations));
    window_->addDockWidget(Qt::BottomDockWidgetArea, dock(Place::Selection));
    for (const Place place : {Place::Events, Place::Sql, Place::Channels, Place::Warnings, Place::Report,
                              Place::Alignment})
        window_->tabifyDockWidget(dock(Place::Selection), dock(place));
    dock(Place::Details)->raise();
    dock(Place::Selection)->raise();
    window_->resizeDocks({dock(Place::Findings)}, {kFindingsWidth}, Qt::Horizontal);
    window_->resizeDocks({dock(Place::Findings), dock(Place::Details)}, {3, 2}, Qt::Vertical);
    const int foot = std::clamp(window_->height() / kBottomShare, kBottomLeast, kBottomMost);
    window_->resizeDocks({dock(Place::Selection)}, {foot}, Qt::Vertical);
    titleOnce();
}

void Docks::setShown(bool shown) {
    for (QDockWidget *dock : docks_)
        dock->setVisible(shown);
}

}  // namespace wattproof::widgets
