// What imports and the analysis could not take as it stood, as a table.
#pragma once

#include "store/rows.h"

#include <string>
#include <vector>

#include <QAbstractTableModel>

namespace wattproof::widgets {

struct ShownWarning {
    std::string source;  // file name, or "analysis"
    WarningRow row;
};

class WarningsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Source, Kind, Count, Position, Message, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<ShownWarning> rows);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ShownWarning> rows_;
};

}  // namespace wattproof::widgets
