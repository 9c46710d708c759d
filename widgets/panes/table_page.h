// A pane's page: a line of text and buttons over a table whose rows can be copied.
#pragma once

#include <QWidget>

class QHBoxLayout;

namespace wattproof::widgets {

class TableView;

class TablePage : public QWidget {
    Q_OBJECT

public:
    explicit TablePage(TableView *table, QWidget *parent = nullptr);

    // What stands left of the button "Copy".
    void addToLine(QWidget *, int stretch = 0);
    void addButton(QWidget *);  // right of it

private:
    QHBoxLayout *line_;
    int texts_ = 0;
};

}  // namespace wattproof::widgets
