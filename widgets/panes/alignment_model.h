// Where each power source stands, as a table.
#pragma once

#include "widgets/panes/alignment_probe.h"

#include <vector>

#include <QAbstractTableModel>

namespace wattproof::widgets {

class AlignmentModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Source, Method, Offset, Drift, Uncertainty, Confidence, Clock, Note, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<AlignableSource> rows);
    [[nodiscard]] const std::vector<AlignableSource> &rows() const { return rows_; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<AlignableSource> rows_;
};

}  // namespace wattproof::widgets
