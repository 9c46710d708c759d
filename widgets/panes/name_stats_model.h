// Numbers by name of a selected area, as a table.
#pragma once

#include "store/reader.h"

#include <vector>

#include <QAbstractTableModel>

namespace wattproof::widgets {

class NameStatsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Count, Total, Self, Mean, P50, P95, P99, Max, Joules, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<store::NameStats> rows);
    [[nodiscard]] const std::vector<store::NameStats> &rows() const { return rows_; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<store::NameStats> rows_;
};

}  // namespace wattproof::widgets
