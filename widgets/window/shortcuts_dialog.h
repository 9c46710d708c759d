// Every key and gesture on one page: the window's actions as they are bound, then those of the panes on the time
// axis.
#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace wattproof::widgets {

class ShortcutsDialog : public QDialog {
    Q_OBJECT

public:
    ShortcutsDialog(const QList<QAction *> &actions, QWidget *parent = nullptr);
};

}  // namespace wattproof::widgets
