#include "widgets/panes/name_stats_model.h"

#include "report/report.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

#include <cmath>
#include <limits>

namespace wattproof::widgets {
namespace {

// p99 of fewer is the maximum by another name (docs/methods.md, Statistics).
constexpr std::int64_t kLeastForP99 = 299;

Ns timeOf(const store::NameStats &row, int column) {
    switch (column) {
        case NameStatsModel::Total:
            return row.total;
        case NameStatsModel::Self:
            return row.self;
        case NameStatsModel::Mean:
            return static_cast<Ns>(std::llround(row.mean));
        case NameStatsModel::P50:
            return row.p50;
        case NameStatsModel::P95:
            return row.p95;
        case NameStatsModel::P99:
            return row.p99;
        default:
            return row.max;
    }
}

QString shown(const store::NameStats &row, int column) {
    switch (column) {
        case NameStatsModel::Name:
            return qs(row.text);
        case NameStatsModel::Count:
            return QLocale().toString(static_cast<qlonglong>(row.count));
        case NameStatsModel::Joules:
            return qs(report::quantity(row.joules, "J"));
        default:
            return durationText(timeOf(row, column));
    }
}

QVariant exact(const store::NameStats &row, int column) {
    switch (column) {
        case NameStatsModel::Name:
            return qs(row.text);
        case NameStatsModel::Count:
            return static_cast<qlonglong>(row.count);
        case NameStatsModel::Mean:
            return row.mean;
        // Unknown sorts below everything known and exports as an empty cell.
        case NameStatsModel::Joules:
            return row.joules ? QVariant(*row.joules) : QVariant();
        default:
            return static_cast<qlonglong>(timeOf(row, column));
    }
}

QString hint(const store::NameStats &row, int column) {
    switch (column) {
        case NameStatsModel::Name:
            return qs(row.text);
        case NameStatsModel::Joules:
            return row.joules ? NameStatsModel::tr("%1 J").arg(exactText(*row.joules))
                              : NameStatsModel::tr(
                                    "Unknown: no analysis gave these slices energy (no power log, or only part of "
                                    "them lies in the area)");
        case NameStatsModel::Count:
            return {};
        default:
            break;
    }
    const QString value = NameStatsModel::tr("%1 ns").arg(timeOf(row, column));
    if (column == NameStatsModel::P99 && row.count < kLeastForP99)
        return NameStatsModel::tr("%1; a small sample: %2 of at least %3 values")
            .arg(value)
            .arg(row.count)
            .arg(kLeastForP99);
    return value;
}

}  // namespace

void NameStatsModel::setRows(std::vector<store::NameStats> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int NameStatsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int NameStatsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant NameStatsModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const store::NameStats &row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return shown(row, index.column());
        case kExactRole:
            return exact(row, index.column());
        case Qt::ToolTipRole:
            return hint(row, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::Alignment(index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) |
                                       Qt::AlignVCenter);
        default:
            return {};
    }
}

QVariant NameStatsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static const char *const exactNames[] = {"name",   "count",  "total_ns", "self_ns", "mean_ns",
                                             "p50_ns", "p95_ns", "p99_ns",   "max_ns",  "joules"};
    if (role == kExactRole)
        return QString::fromLatin1(exactNames[section]);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(section == Name ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Name"), tr("Count"), tr("Total"), tr("Self"), tr("Mean"),
                            tr("p50"),  tr("p95"),   tr("p99"),   tr("Max"),  tr("Energy")};
    return names[section];
}

}  // namespace wattproof::widgets
