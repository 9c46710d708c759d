#include "widgets/panes/warnings_model.h"

#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

namespace wattproof::widgets {

void WarningsModel::setRows(std::vector<ShownWarning> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int WarningsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int WarningsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WarningsModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != kExactRole)
        return {};
    const ShownWarning &warning = rows_[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case Source:
            return qs(warning.source);
        case Kind:
            return qs(warning.row.kind);
        case Count:
            return static_cast<qlonglong>(warning.row.count);
        case Position:
            return qs(warning.row.firstPosition);
        default:
            return qs(warning.row.message);
    }
}

QVariant WarningsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role != Qt::DisplayRole && role != kExactRole)
        return {};
    const QStringList names{tr("Source"), tr("Kind"), tr("Count"), tr("First at"), tr("Message")};
    return names[section];
}

}  // namespace wattproof::widgets
