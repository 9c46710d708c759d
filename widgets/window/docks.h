// The dockable places of the window, each with its pane or, without a session, a word on what would fill it.
#pragma once

#include <array>

#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;

namespace wattproof::widgets {

enum class Place { Findings, Details, Annotations, Selection, Events, Sql, Channels, Warnings, Report, Alignment };
inline constexpr int kPlaces = 10;

class Docks : public QObject {
    Q_OBJECT

public:
    explicit Docks(QMainWindow *window);

    void put(Place, QWidget *pane);  // replaces and deletes what was there
    void clear();
    void raise(Place);  // shows it and brings it to the front of its tabs
    void setTitle(Place, const QString &);
    [[nodiscard]] QDockWidget *dock(Place) const;
    [[nodiscard]] QList<QAction *> toggles() const;
    void arrange();       // the layout of the first start
    void setShown(bool);  // all together: without a session none is

private:
    void titleOnce();  // a dock among tabs is named by its tab alone

    QMainWindow *window_;
    std::array<QDockWidget *, kPlaces> docks_{};
};

}  // namespace wattproof::widgets
