#include "widgets/import/look_model.h"

#include "widgets/import/look_words.h"
#include "widgets/panes/words.h"

#include <QColor>
#include <QFileInfo>

namespace wattproof::widgets {
namespace {

QString shown(const LookModel::Row &row, int column) {
    if (column == LookModel::File)
        return QFileInfo(qs(row.path)).fileName();
    if (!row.look)
        return column == LookModel::Note ? LookModel::tr("looking…") : QString();
    const FileLook &look = *row.look;
    switch (column) {
        case LookModel::Format:
            return formatText(look);
        case LookModel::Begin:
            return beginText(look);
        case LookModel::Length:
            return lengthText(look);
        case LookModel::Clock:
            return clockText(look);
        case LookModel::Devices:
            return devicesText(look);
        case LookModel::Coverage:
            return coverageText(look);
        default:
            return row.wanted || !look.readable() ? noteText(look) : LookModel::tr("left out");
    }
}

QString hint(const LookModel::Row &row, int column) {
    if (column == LookModel::File)
        return qs(row.path);
    if (!row.look)
        return {};
    if (column == LookModel::Coverage)
        return row.look->coverage ? LookModel::tr("The longest time without a sample is %1").arg(durationText(row.look->longestGap)) : QString();
    return column == LookModel::Note ? storyOf(*row.look).join(QLatin1Char('\n'))
           : column == LookModel::Clock ? clockHint(*row.look)
                                        : shown(row, column);
}

}  // namespace

LookModel::LookModel(const std::vector<std::string> &paths, const draw::Theme &theme, QObject *parent)
    : QAbstractTableModel(parent), theme_(theme) {
    for (const std::string &path : paths)
        rows_.push_back({path, {}, std::nullopt, true});
}

void LookModel::rowChanged(std::size_t row) {
    emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), ColumnCount - 1));
}

void LookModel::setLook(std::size_t row, FileLook look) {
    rows_[row].look = std::move(look);
    rowChanged(row);
}

void LookModel::setChoice(std::size_t row, const FileChoice &choice) {
    rows_[row].choice = choice;
    rowChanged(row);
}

void LookModel::setWanted(std::size_t row, bool wanted) {
    rows_[row].wanted = wanted;
    rowChanged(row);
}

int LookModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LookModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LookModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = rows_[static_cast<std::size_t>(index.row())];
    const bool open = row.look && (isOpenQuestion(*row.look) && !row.look->zoneGiven);
    switch (role) {
        case Qt::DisplayRole:
            return shown(row, index.column());
        case Qt::ToolTipRole:
            return hint(row, index.column());
        case Qt::CheckStateRole:
            if (index.column() == File)
                return row.wanted && (!row.look || row.look->readable()) ? Qt::Checked : Qt::Unchecked;
            return {};
        case Qt::ForegroundRole:
            if (row.look && !row.wanted)
                return theme_.muted;
            if (index.column() == Note && row.look && (!row.look->readable() || open))
                return row.look->readable() || row.look->isTable ? theme_.warn : theme_.bad;
            return {};
        default:
            return {};
    }
}

bool LookModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::CheckStateRole || index.column() != File)
        return false;
    setWanted(static_cast<std::size_t>(index.row()), value.toInt() == Qt::Checked);
    return true;
}

QVariant LookModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("File"),   tr("State"), tr("Read as"), tr("Begins"),
                             tr("Length"), tr("Clock"), tr("Devices"), tr("Coverage")};
    return names[section];
}

Qt::ItemFlags LookModel::flags(const QModelIndex &index) const {
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    const bool can = index.isValid() && rows_[static_cast<std::size_t>(index.row())].look &&
                     rows_[static_cast<std::size_t>(index.row())].look->readable();
    return index.column() == File && can ? usual | Qt::ItemIsUserCheckable : usual;
}

}  // namespace wattproof::widgets
