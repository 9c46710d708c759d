#include "widgets/panes/annotations_model.h"

#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

namespace wattproof::widgets {
namespace {

QString annotationText(const store::Annotation &row, int column) {
    switch (column) {
        case AnnotationsModel::Time:
            return timeText(row.ts);
        case AnnotationsModel::Duration:
            return row.dur > 0 ? durationText(row.dur) : AnnotationsModel::tr("instant");
        case AnnotationsModel::Text:
            return qs(row.text);
        case AnnotationsModel::Author:
            return qs(row.author);
        default:
            return qs(row.createdAt);
    }
}

}  // namespace

void AnnotationsModel::setRows(std::vector<store::Annotation> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

void AnnotationsModel::setWritable(bool writable) {
    writable_ = writable;
}

int AnnotationsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int AnnotationsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AnnotationsModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const store::Annotation &row = rows_[static_cast<std::size_t>(index.row())];
    if (role == kExactRole && index.column() == Time)
        return static_cast<qlonglong>(row.ts);
    if (role == kExactRole && index.column() == Duration)
        return static_cast<qlonglong>(row.dur);
    if (role == Qt::DisplayRole || role == Qt::EditRole || role == Qt::ToolTipRole || role == kExactRole)
        return annotationText(row, index.column());
    return {};
}

QVariant AnnotationsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role != Qt::DisplayRole && role != kExactRole)
        return {};
    const QStringList names{tr("Time"), tr("Duration"), tr("Note"), tr("Author"), tr("Written")};
    return names[section];
}

Qt::ItemFlags AnnotationsModel::flags(const QModelIndex &index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (writable_ && index.column() == Text)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool AnnotationsModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != Text)
        return false;
    store::Annotation &row = rows_[static_cast<std::size_t>(index.row())];
    const std::string text = value.toString().trimmed().toStdString();
    if (text.empty() || text == row.text)
        return false;
    row.text = text;
    emit dataChanged(index, index);
    emit textEdited(row);
    return true;
}

}  // namespace wattproof::widgets
