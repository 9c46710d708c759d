#include "widgets/tables/long_table.h"

#include "widgets/tables/window_model.h"

#include <algorithm>
#include <limits>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTableView>
#include <QWheelEvent>

namespace wattproof::widgets {
namespace {

constexpr int kRowHeight = 20, kNotch = 120, kRowsANotch = 3;

}  // namespace

LongTable::LongTable(QWidget *parent)
    : QWidget(parent), table_(new QTableView(this)), bar_(new QScrollBar(Qt::Vertical, this)) {
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ContiguousSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setAutoScroll(false);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setSectionsClickable(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    setFocusProxy(table_);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_, 1);
    layout->addWidget(bar_);
    bar_->hide();
    connect(bar_, &QScrollBar::valueChanged, this, &LongTable::scrolled);
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, &LongTable::headClicked);
}

void LongTable::setModel(WindowModel *model) {
    model_ = model;
    table_->setModel(model);
    connect(model, &WindowModel::totalChanged, this, &LongTable::tableChanged);
    connect(model, &WindowModel::grown, this, &LongTable::fit);
    tableChanged();
}

int LongTable::pageRows() const {
    return std::max(1, table_->viewport()->height() / kRowHeight);
}

void LongTable::tableChanged() {
    anchor_ = current_ = -1;
    column_ = std::clamp(column_, 0, std::max(0, model_->columnCount() - 1));
    bar_->setValue(0);
    fit();
    markRows();
}

// A row that shows in part is one more.
void LongTable::fit() {
    if (!model_)
        return;
    const qint64 beyond = std::clamp<qint64>(model_->total() - pageRows(), 0, std::numeric_limits<int>::max());
    bar_->setRange(0, static_cast<int>(beyond));
    bar_->setPageStep(pageRows());
    bar_->setVisible(beyond > 0);
    scrolled(bar_->value());
}

void LongTable::scrolled(int first) {
    model_->setWindow(first, pageRows() + 1);
    markRows();
}

std::optional<std::pair<qint64, qint64>> LongTable::selectedRows() const {
    if (current_ < 0)
        return std::nullopt;
    return std::minmax(current_, anchor_);
}

// The selection of the view is what of ours is in sight.
void LongTable::markRows() {
    QItemSelectionModel *marks = table_->selectionModel();
    const auto rows = selectedRows();
    const qint64 first = rows ? std::max(rows->first, model_->first()) : 0;
    const qint64 last = rows ? std::min(rows->second, model_->first() + model_->rowCount() - 1) : -1;
    if (last < first || model_->columnCount() == 0)
        return marks->clear();
    marks->setCurrentIndex(model_->indexOf(current_, column_), QItemSelectionModel::NoUpdate);
    marks->select({model_->indexOf(first, 0), model_->indexOf(last, model_->columnCount() - 1)},
                  QItemSelectionModel::ClearAndSelect);
}

void LongTable::bringIntoSight(qint64 row) {
    const qint64 top = bar_->value();
    if (row < top)
        bar_->setValue(static_cast<int>(row));
    else if (row >= top + pageRows())
        bar_->setValue(static_cast<int>(row - pageRows() + 1));
}

void LongTable::setCurrentRow(qint64 row) {
    current_ = anchor_ = row;
    if (row >= 0 && (row < bar_->value() || row >= bar_->value() + pageRows()))
        bar_->setValue(static_cast<int>(std::max<qint64>(0, row - pageRows() / 2)));
    markRows();
}

void LongTable::choose(qint64 row, bool extend) {
    if (model_->total() == 0)
        return;
    const qint64 before = current_;
    current_ = std::clamp<qint64>(row, 0, model_->total() - 1);
    if (!extend || anchor_ < 0)
        anchor_ = current_;
    bringIntoSight(current_);
    markRows();
    if (current_ != before)
        emit currentRowChanged(current_);
}

void LongTable::showSort(int column, Qt::SortOrder order) {
    sortColumn_ = column;
    sortOrder_ = order;
    table_->horizontalHeader()->setSortIndicatorShown(column >= 0);
    table_->horizontalHeader()->setSortIndicator(column, order);
}

// The head has turned its mark already, whether it can sort or not: what stood there before counts.
void LongTable::headClicked(int column) {
    if (!model_->isSortable(column))
        return showSort(sortColumn_, sortOrder_);
    const bool again = sortColumn_ == column && sortOrder_ == Qt::AscendingOrder;
    showSort(column, again ? Qt::DescendingOrder : Qt::AscendingOrder);
    emit sortRequested(sortColumn_, sortOrder_);
}

bool LongTable::key(const QKeyEvent &event) {
    if (event.matches(QKeySequence::Copy)) {
        emit copyRequested();
        return true;
    }
    const bool extend = event.modifiers() & Qt::ShiftModifier;
    switch (event.key()) {
        case Qt::Key_Up:
            choose(current_ - 1, extend);
            return true;
        case Qt::Key_Down:
            choose(current_ + 1, extend);
            return true;
        case Qt::Key_PageUp:
            choose(current_ - pageRows(), extend);
            return true;
        case Qt::Key_PageDown:
            choose(current_ + pageRows(), extend);
            return true;
        case Qt::Key_Home:
            choose(0, extend);
            return true;
        case Qt::Key_End:
            choose(model_->total() - 1, extend);
            return true;
        case Qt::Key_Left:
        case Qt::Key_Right:
            column_ = std::clamp(column_ + (event.key() == Qt::Key_Left ? -1 : 1), 0,
                                 std::max(0, model_->columnCount() - 1));
            table_->scrollTo(model_->indexOf(std::max<qint64>(current_, model_->first()), column_));
            table_->verticalScrollBar()->setValue(0);
            markRows();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (current_ >= 0)
                emit activated(current_);
            return true;
        default:
            return false;
    }
}

bool LongTable::mouse(const QMouseEvent &event, bool press) {
    const int y = static_cast<int>(event.position().y());
    const bool held = press ? event.button() == Qt::LeftButton : (event.buttons() & Qt::LeftButton) != 0;
    if (!held || (press && table_->rowAt(y) < 0))
        return false;
    if (press && table_->columnAt(static_cast<int>(event.position().x())) >= 0)
        column_ = table_->columnAt(static_cast<int>(event.position().x()));
    table_->setFocus(Qt::MouseFocusReason);
    choose(model_->first() + (y < 0 ? -1 : y / kRowHeight), !press || (event.modifiers() & Qt::ShiftModifier));
    return true;
}

// Touchpads turn by less than a notch at a time: the rest is kept.
void LongTable::wheel(const QWheelEvent &event) {
    wheelRest_ += event.angleDelta().y() * kRowsANotch;
    bar_->setValue(bar_->value() - wheelRest_ / kNotch);
    wheelRest_ %= kNotch;
}

bool LongTable::eventFilter(QObject *watched, QEvent *event) {
    const bool viewport = watched == table_->viewport();
    if (!model_)
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::Resize:
            if (viewport)
                fit();
            break;
        case QEvent::KeyPress:
            if (viewport || key(*static_cast<QKeyEvent *>(event)))
                return true;
            event->ignore();  // letters are the window's, not a search in the few rows in sight
            return true;
        case QEvent::MouseButtonPress:
        case QEvent::MouseMove:
            if (viewport && mouse(*static_cast<QMouseEvent *>(event), event->type() == QEvent::MouseButtonPress))
                return true;
            break;
        case QEvent::MouseButtonDblClick:
            if (viewport && mouse(*static_cast<QMouseEvent *>(event), true)) {
                emit activated(current_);
                return true;
            }
            break;
        case QEvent::Wheel: {
            const auto &turn = *static_cast<QWheelEvent *>(event);
            if (!viewport || turn.angleDelta().y() == 0 || (turn.modifiers() & Qt::ShiftModifier))
                break;
            wheel(turn);
            event->accept();
            return true;
        }
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace wattproof::widgets
