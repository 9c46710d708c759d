#include "widgets/events/events_model.h"

#include "report/report.h"
#include "widgets/panes/words.h"
#include "widgets/tables/csv.h"

#include <algorithm>
#include <utility>

#include <QStringList>

namespace wattproof::widgets {
namespace {

QString shown(const store::EventRow &row, const TrackNames::Names &names, int column) {
    switch (column) {
        case EventsModel::Time:
            return timeText(row.ts);
        case EventsModel::Duration:
            return row.kind == SliceKind::Instant ? EventsModel::tr("instant") : durationText(row.dur);
        case EventsModel::Name:
            return qs(row.name);
        case EventsModel::Category:
            return qs(row.category);
        case EventsModel::Track:
            return names.track;
        case EventsModel::Group:
            return names.group;
        case EventsModel::Depth:
            return QString::number(row.depth);
        default:
            return qs(report::quantity(row.joules, "J"));
    }
}

QString exact(const store::EventRow &row, const TrackNames::Names &names, int column) {
    switch (column) {
        case EventsModel::Time:
            return QString::number(row.ts);
        case EventsModel::Duration:
            return QString::number(row.dur);
        case EventsModel::Joules:
            return row.joules ? exactText(*row.joules) : QString();
        default:
            return shown(row, names, column);
    }
}

QString hint(const store::EventRow &row, const TrackNames::Names &names, int column) {
    switch (column) {
        case EventsModel::Time:
            return EventsModel::tr("%1 ns after the workspace's origin").arg(row.ts);
        case EventsModel::Duration:
            return EventsModel::tr("%1 ns").arg(row.dur);
        case EventsModel::Joules:
            return row.joules ? EventsModel::tr("%1 J").arg(exactText(*row.joules))
                              : EventsModel::tr("Unknown: no analysis gave this slice energy");
        case EventsModel::Depth:
            return {};
        default:
            return shown(row, names, column);
    }
}

bool isNumber(int column) {
    return column == EventsModel::Time || column == EventsModel::Duration || column == EventsModel::Depth ||
           column == EventsModel::Joules;
}

}  // namespace

QString eventsText(const std::vector<store::EventRow> &rows, const TrackNames &names) {
    QStringList lines{QStringLiteral("ts\tdur\tname\tcategory\ttrack\tof\tdepth\tjoules")};
    QStringList cells;
    for (const store::EventRow &row : rows) {
        cells.clear();
        for (int column = 0; column < EventsModel::ColumnCount; ++column)
            cells << csvCell(exact(row, names.of(row.track), column), QLatin1Char('\t'));
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void EventsModel::forget() {
    pages_.clear();
    stale_ = false;
    wanted_ = {-1, -1};
}

void EventsModel::setIds(EventIds ids) {
    beginTable();
    forget();
    ids_ = std::move(ids);
    endTable();
}

void EventsModel::growTo(EventIds ids) {
    ids_ = std::move(ids);
    // The last page may have been cut.
    if (!pages_.empty() && pages_.rbegin()->second.size() < kPageRows)
        pages_.erase(std::prev(pages_.end()));
    wanted_ = {-1, -1};
    emit grown();
    windowMoved();
}

// What is shown stays until the new rows are here.
void EventsModel::refresh() {
    wanted_ = {-1, -1};
    stale_ = true;
    windowMoved();
}

void EventsModel::setNames(std::shared_ptr<const TrackNames> names) {
    names_ = std::move(names);
    rowsChanged();
}

// Of pages far from the window as many are forgotten as are too many.
void EventsModel::setRows(qint64 firstPage, std::vector<store::EventRow> rows) {
    if (std::exchange(stale_, false))
        pages_.clear();
    for (std::size_t begin = 0; begin < rows.size(); begin += kPageRows) {
        const auto from = rows.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = rows.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(begin + kPageRows, rows.size()));
        pages_[firstPage++] = {std::make_move_iterator(from), std::make_move_iterator(to)};
    }
    const qint64 here = first() / kPageRows;
    while (pages_.size() > kMostPages) {
        const auto low = pages_.begin(), high = std::prev(pages_.end());
        pages_.erase(here - low->first > high->first - here ? low : high);
    }
    wanted_ = {-1, -1};
    rowsChanged();
    windowMoved();
}

void EventsModel::windowMoved() {
    if (rowCount() == 0)
        return;
    qint64 from = first() / kPageRows, to = (first() + rowCount() - 1) / kPageRows;
    const auto isHere = [this](qint64 page) { return !stale_ && pages_.contains(page); };
    while (from <= to && isHere(from))
        ++from;
    while (to >= from && isHere(to))
        --to;
    if (from > to || wanted_ == std::pair(from, to))
        return;
    wanted_ = {from, to};
    emit rowsWanted(from, to);
}

const store::EventRow *EventsModel::rowAt(qint64 row) const {
    const auto page = pages_.find(row / kPageRows);
    const auto at = static_cast<std::size_t>(row % kPageRows);
    return page == pages_.end() || at >= page->second.size() ? nullptr : &page->second[at];
}

qint64 EventsModel::total() const {
    return ids_ ? static_cast<qint64>(ids_->size()) : 0;
}

int EventsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventsModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    const store::EventRow *row = rowAt(rowOf(index));
    if (!row)
        return role == Qt::DisplayRole && index.column() == Name ? QVariant(QStringLiteral("…")) : QVariant();
    const TrackNames::Names &names = names_->of(row->track);
    switch (role) {
        case Qt::DisplayRole:
            return shown(*row, names, index.column());
        case Qt::ToolTipRole:
            return hint(*row, names, index.column());
        default:
            return {};
    }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Time"),  tr("Duration"), tr("Name"),  tr("Category"),
                            tr("Track"), tr("Of"),       tr("Depth"), tr("Energy")};
    return names[section];
}

}  // namespace wattproof::widgets
