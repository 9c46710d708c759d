#include "widgets/panes/channel_stats_model.h"

#include "report/draw/labels.h"
#include "report/report.h"
#include "widgets/panes/table_view.h"

#include <array>

#include <QLocale>

namespace wattproof::widgets {
namespace {

QString said(const std::optional<double> &value, const std::string &unit) {
    return QString::fromStdString(report::quantity(value, unit));
}

QString textOf(const ChannelStats &row, int column) {
    switch (column) {
        case ChannelStatsModel::Device:
            return draw::safeText(row.device);
        case ChannelStatsModel::Channel:
            return draw::safeText(row.name);
        case ChannelStatsModel::Readings:
            return QLocale().toString(static_cast<qlonglong>(row.readings));
        case ChannelStatsModel::Mean:
            return said(row.mean, row.unit);
        case ChannelStatsModel::P95:
            return said(row.p95, row.unit);
        case ChannelStatsModel::Max:
            return said(row.max, row.unit);
        case ChannelStatsModel::Joules:
            return said(row.joules, "J");
        case ChannelStatsModel::Coverage:
            return QString::fromStdString(report::percent(row.coverage));
        case ChannelStatsModel::LongestGap:
            return said(row.longestGapS, "s");
        default:
            return draw::safeText(row.sensor);
    }
}

QVariant number(const std::optional<double> &value) {
    return value ? QVariant(*value) : QVariant();
}

QVariant exactOf(const ChannelStats &row, int column) {
    switch (column) {
        case ChannelStatsModel::Readings:
            return static_cast<qlonglong>(row.readings);
        case ChannelStatsModel::Mean:
            return number(row.mean);
        case ChannelStatsModel::P95:
            return number(row.p95);
        case ChannelStatsModel::Max:
            return number(row.max);
        case ChannelStatsModel::Joules:
            return number(row.joules);
        case ChannelStatsModel::Coverage:
            return row.coverage;
        case ChannelStatsModel::LongestGap:
            return row.longestGapS;
        default:
            return textOf(row, column);
    }
}

QString hintOf(const ChannelStats &row, int column) {
    switch (column) {
        case ChannelStatsModel::Mean:
            return ChannelStatsModel::tr("Over the time that readings stand for");
        case ChannelStatsModel::P95:
        case ChannelStatsModel::Max:
            return ChannelStatsModel::tr("Of the %1 readings inside").arg(row.readings);
        case ChannelStatsModel::Joules:
            return row.joules ? draw::safeText(row.sensor)
                              : ChannelStatsModel::tr("Only power and energy give joules");
        default:
            return textOf(row, column);
    }
}

}  // namespace

void ChannelStatsModel::setRows(std::vector<ChannelStats> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int ChannelStatsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ChannelStatsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ChannelStatsModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ChannelStats &row = rows_[static_cast<std::size_t>(index.row())];
    const bool isNumber = index.column() >= Readings && index.column() <= LongestGap;
    switch (role) {
        case Qt::DisplayRole:
            return textOf(row, index.column());
        case kExactRole:
            return exactOf(row, index.column());
        case Qt::ToolTipRole:
            return hintOf(row, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(
                Qt::Alignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
        default:
            return {};
    }
}

QVariant ChannelStatsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount ||
        (role != Qt::DisplayRole && role != kExactRole))
        return {};
    static const std::array<const char *, ColumnCount> shown{
        "Device", "Channel", "Readings", "Mean", "p95", "Max", "Energy", "Coverage", "Longest gap", "Sensor"};
    return tr(shown[static_cast<std::size_t>(section)]);
}

}  // namespace wattproof::widgets
