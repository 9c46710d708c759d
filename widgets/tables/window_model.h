// A table of any length of which only the rows in sight are rows of the model. A view over millions of rows keeps
// something for each of them; this one never has more than fit on the screen.
#pragma once

#include <QAbstractTableModel>

namespace wattproof::widgets {

class WindowModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] virtual qint64 total() const = 0;  // rows of the whole table
    [[nodiscard]] virtual bool isSortable(int column) const = 0;

    [[nodiscard]] qint64 first() const { return first_; }
    void setWindow(qint64 first, int rows);  // clamped to what there is
    [[nodiscard]] qint64 rowOf(const QModelIndex &index) const { return first_ + index.row(); }
    // Invalid when the row is not in sight.
    [[nodiscard]] QModelIndex indexOf(qint64 row, int column) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;

signals:
    void totalChanged();  // or the rows are others
    void grown();         // more rows at the end

protected:
    // Around a change of the whole table: back to the first row.
    void beginTable();
    void endTable();
    void rowsChanged();  // those in sight
    virtual void windowMoved() {}

private:
    qint64 first_ = 0;
    int rows_ = 0;
};

}  // namespace wattproof::widgets
