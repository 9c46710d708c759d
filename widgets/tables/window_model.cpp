#include "widgets/tables/window_model.h"

#include <algorithm>

namespace wattproof::widgets {

int WindowModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : rows_;
}

void WindowModel::setWindow(qint64 first, int rows) {
    first = std::clamp<qint64>(first, 0, std::max<qint64>(0, total() - 1));
    rows = static_cast<int>(std::clamp<qint64>(total() - first, 0, rows));
    if (first == first_ && rows == rows_)
        return;
    const bool moved = first != first_;
    first_ = first;
    if (rows > rows_) {
        beginInsertRows({}, rows_, rows - 1);
        rows_ = rows;
        endInsertRows();
    } else if (rows < rows_) {
        beginRemoveRows({}, rows, rows_ - 1);
        rows_ = rows;
        endRemoveRows();
    }
    if (moved)
        rowsChanged();
    windowMoved();
}

QModelIndex WindowModel::indexOf(qint64 row, int column) const {
    return row >= first_ && row < first_ + rows_ ? index(static_cast<int>(row - first_), column) : QModelIndex();
}

void WindowModel::rowsChanged() {
    if (rows_ > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rows_ - 1, columnCount() - 1));
}

void WindowModel::beginTable() {
    beginResetModel();
    first_ = 0;
    rows_ = 0;
}

void WindowModel::endTable() {
    endResetModel();
    emit totalChanged();
}

}  // namespace wattproof::widgets
