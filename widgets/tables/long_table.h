// Shows a WindowModel: a table of any length with one current row, a range of selected rows, and sorting by the head.
// Rows are numbers in the whole table here, never places on the screen.
#pragma once

#include <optional>
#include <utility>

#include <QWidget>

class QKeyEvent;
class QMouseEvent;
class QScrollBar;
class QTableView;
class QWheelEvent;

namespace wattproof::widgets {

class WindowModel;

class LongTable : public QWidget {
    Q_OBJECT

public:
    explicit LongTable(QWidget *parent = nullptr);

    void setModel(WindowModel *);
    [[nodiscard]] QTableView *table() const { return table_; }
    [[nodiscard]] qint64 currentRow() const { return current_; }  // -1: none
    [[nodiscard]] int currentColumn() const { return column_; }
    // First and last; none when nothing is selected.
    [[nodiscard]] std::optional<std::pair<qint64, qint64>> selectedRows() const;
    // -1: none. Brings it into sight, without telling currentRowChanged.
    void setCurrentRow(qint64 row);
    void showSort(int column, Qt::SortOrder);  // the head's mark alone; -1: none

signals:
    void activated(qint64 row);          // double click, or Enter
    void currentRowChanged(qint64 row);  // by the user
    void copyRequested();
    void sortRequested(int column, Qt::SortOrder);

protected:
    bool eventFilter(QObject *, QEvent *) override;

private:
    void fit();
    void tableChanged();
    void scrolled(int first);
    void choose(qint64 row, bool extend);
    void bringIntoSight(qint64 row);
    void markRows();
    void headClicked(int column);
    [[nodiscard]] int pageRows() const;
    bool key(const QKeyEvent &);
    bool mouse(const QMouseEvent &, bool press);
    void wheel(const QWheelEvent &);

    QTableView *table_;
    QScrollBar *bar_;
    WindowModel *model_ = nullptr;
    qint64 current_ = -1, anchor_ = -1;
    int column_ = 0;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    int wheelRest_ = 0;
};

}  // namespace wattproof::widgets
