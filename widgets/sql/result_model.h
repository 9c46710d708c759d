// The answer of a query as a table, cells as SQLite prints them.
#pragma once

#include "widgets/sql/result_order.h"
#include "widgets/tables/window_model.h"

namespace wattproof::widgets {

class ResultModel : public WindowModel {
    Q_OBJECT

public:
    using WindowModel::WindowModel;

    void setResult(ResultPtr);  // null: nothing
    void setOrder(RowOrder);
    [[nodiscard]] const ResultPtr &result() const { return result_; }
    [[nodiscard]] const RowOrder &order() const { return order_; }

    [[nodiscard]] qint64 total() const override;
    [[nodiscard]] bool isSortable(int) const override { return true; }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation, int role) const override;

    // Of a row of the shown table.
    [[nodiscard]] QString text(qint64 row, int column) const;
    // Rows first to last with the names of the columns, separated by tabs.
    [[nodiscard]] QString copied(qint64 first, qint64 last) const;

private:
    [[nodiscard]] int typeAt(qint64 row, int column) const;
    [[nodiscard]] QString hint(qint64 row, int column) const;

    ResultPtr result_;
    RowOrder order_;
};

}  // namespace wattproof::widgets
