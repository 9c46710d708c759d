#include "widgets/panes/table_view.h"

#include "widgets/tables/csv.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSortFilterProxyModel>

namespace wattproof::widgets {
namespace {

constexpr int kRowHeight = 20;

QString exactCell(const QModelIndex &index) {
    const QVariant exact = index.data(kExactRole);
    if (exact.typeId() == QMetaType::Double)
        return QString::number(exact.toDouble(), 'g', 17);
    return exact.typeId() == QMetaType::QString ? notAFormula(exact.toString()) : exact.toString();
}

}  // namespace

TableView::TableView(QWidget *parent) : QTableView(parent), sorted_(new QSortFilterProxyModel(this)) {
    sorted_->setSortRole(kExactRole);
    sorted_->setDynamicSortFilter(true);
    QTableView::setModel(sorted_);
    setSortingEnabled(true);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(NoFrame);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void TableView::setSourceModel(QAbstractItemModel *model) {
    sorted_->setSourceModel(model);
}

int TableView::sourceRow(const QModelIndex &shown) const {
    return sorted_->mapToSource(shown).row();
}

QString TableView::csv(QChar separator, bool onlySelected) const {
    const bool all = !onlySelected || selectionModel()->selectedRows().isEmpty();
    QStringList lines;
    QStringList cells;
    for (int column = 0; column < sorted_->columnCount(); ++column)
        cells << csvCell(sorted_->headerData(column, Qt::Horizontal, kExactRole).toString(), separator);
    lines << cells.join(separator);
    for (int row = 0; row < sorted_->rowCount(); ++row) {
        if (!all && !selectionModel()->isRowSelected(row, QModelIndex()))
            continue;
        cells.clear();
        for (int column = 0; column < sorted_->columnCount(); ++column)
            cells << csvCell(exactCell(sorted_->index(row, column)), separator);
        lines << cells.join(separator);
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void TableView::copy() const {
    QGuiApplication::clipboard()->setText(csv(QLatin1Char('\t'), true));
}

void TableView::keyPressEvent(QKeyEvent *event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QTableView::keyPressEvent(event);
}

}  // namespace wattproof::widgets
