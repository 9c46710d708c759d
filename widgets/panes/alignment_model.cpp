#include "widgets/panes/alignment_model.h"

#include "analysis/alignment/zone_guess.h"
#include "report/report.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

namespace wattproof::widgets {
namespace {

QString methodText(const std::string &method) {
    if (method.empty() || method == "none")
        return AlignmentModel::tr("not aligned");
    if (method == "wall-clock")
        return AlignmentModel::tr("wall clock");
    if (method == "manual")
        return AlignmentModel::tr("by hand");
    return qs(method);
}

QString clockText(const SourceRow &source, const store::Alignment &alignment) {
    switch (source.clock) {
        case ClockBasis::Epoch:
            return AlignmentModel::tr("UTC");
        case ClockBasis::WallAssumedZone:
            if (const auto zone = analysis::guessedZone(source, alignment))
                return AlignmentModel::tr("local time, guessed as %1").arg(qs(*zone));
            return AlignmentModel::tr("local time, taken as %1").arg(qs(source.zone));
        case ClockBasis::TimeOfDay:
            return AlignmentModel::tr("time of day, no date");
        case ClockBasis::Relative:
            return AlignmentModel::tr("since its own start");
        case ClockBasis::None:
            break;
    }
    return AlignmentModel::tr("no times");
}

// By hand there is no probability to state, and without alignment none to have.
bool hasConfidence(const store::Alignment &alignment) {
    return alignment.confidence > 0;
}

QString cellText(const AlignableSource &row, int column) {
    switch (column) {
        case AlignmentModel::Source:
            return qs(row.name);
        case AlignmentModel::Method:
            return methodText(row.alignment.method);
        case AlignmentModel::Offset:
            return offsetText(row.alignment.offset);
        case AlignmentModel::Drift:
            return row.alignment.driftPpb == 0
                       ? QStringLiteral("–")
                       : AlignmentModel::tr("%1 ppm").arg(
                             QString::asprintf("%+.1f", static_cast<double>(row.alignment.driftPpb) / 1000)
                                 .replace(QLatin1Char('-'), QChar(0x2212)));
        case AlignmentModel::Uncertainty:
            return row.alignment.uncertainty > 0 ? QStringLiteral("± ") + durationText(row.alignment.uncertainty)
                                                 : QStringLiteral("–");
        case AlignmentModel::Confidence:
            return hasConfidence(row.alignment) ? qs(report::percent(row.alignment.confidence))
                                                : QStringLiteral("–");
        case AlignmentModel::Clock:
            return clockText(row.source, row.alignment);
        default:
            return qs(row.alignment.note);
    }
}

QVariant exactCellOf(const AlignableSource &row, int column) {
    switch (column) {
        case AlignmentModel::Offset:
            return static_cast<qlonglong>(row.alignment.offset);
        case AlignmentModel::Drift:
            return static_cast<qlonglong>(row.alignment.driftPpb);
        case AlignmentModel::Uncertainty:
            return static_cast<qlonglong>(row.alignment.uncertainty);
        case AlignmentModel::Confidence:
            return row.alignment.confidence;
        default:
            return cellText(row, column);
    }
}

QString cellHint(const AlignableSource &row, int column) {
    switch (column) {
        case AlignmentModel::Offset:
            return AlignmentModel::tr("%1 ns are added to the log's times").arg(row.alignment.offset);
        case AlignmentModel::Drift:
            return AlignmentModel::tr(
                "By how much the log's clock is slow against the trace's; the offset holds in the middle of the run");
        case AlignmentModel::Confidence:
            return hasConfidence(row.alignment)
                       ? AlignmentModel::tr("Probability that the offset is right within its uncertainty")
                       : AlignmentModel::tr("Unknown: the offset was not found by a search");
        default:
            return cellText(row, column);
    }
}

}  // namespace

void AlignmentModel::setRows(std::vector<AlignableSource> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int AlignmentModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int AlignmentModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AlignmentModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const AlignableSource &row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return cellText(row, index.column());
        case kExactRole:
            return exactCellOf(row, index.column());
        case Qt::ToolTipRole:
            return cellHint(row, index.column());
        default:
            return {};
    }
}

QVariant AlignmentModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role != Qt::DisplayRole && role != kExactRole)
        return {};
    const QStringList names{tr("Source"),      tr("Method"),     tr("Offset"), tr("Drift"),
                            tr("Uncertainty"), tr("Confidence"), tr("Clock"),  tr("Note")};
    return names[section];
}

}  // namespace wattproof::widgets
