// The sources of a workspace as a table: where each came from, its time, what it holds.
#pragma once

#include "widgets/import_service.h"

#include <vector>

#include <QAbstractTableModel>

namespace wattproof::widgets {

// "2 – 5.5 s · cpu_op, kernel", or "all".
[[nodiscard]] QString partText(const TracePart &);

class SourcesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { File, Format, Begin, Length, Size, Holds, Warnings, Part, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<SourceEntry> rows);
    [[nodiscard]] const std::vector<SourceEntry> &rows() const { return rows_; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<SourceEntry> rows_;
};

}  // namespace wattproof::widgets
