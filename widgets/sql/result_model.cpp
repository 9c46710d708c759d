#include "widgets/sql/result_model.h"

#include "widgets/panes/words.h"
#include "widgets/tables/csv.h"

#include <QColor>
#include <QGuiApplication>
#include <QPalette>
#include <QStringList>

namespace wattproof::widgets {
namespace {

constexpr qsizetype kMostShown = 300, kMostHinted = 4000;  // letters of a cell

bool isNumber(int type) {
    return type == store::kInteger || type == store::kFloat;
}

// One line, and not more than anyone reads in a cell.
QString inOneLine(QString text) {
    if (text.size() > kMostShown)
        text = text.left(kMostShown) + QChar(0x2026);
    for (QChar &c : text)
        if (!c.isPrint())
            c = QLatin1Char(' ');
    return text;
}

}  // namespace

void ResultModel::setResult(ResultPtr result) {
    beginTable();
    result_ = std::move(result);
    order_.reset();
    endTable();
}

void ResultModel::setOrder(RowOrder order) {
    order_ = std::move(order);
    rowsChanged();
}

qint64 ResultModel::total() const {
    return result_ ? static_cast<qint64>(result_->rows.size()) : 0;
}

int ResultModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() || !result_ ? 0 : static_cast<int>(result_->columns.size());
}

QString ResultModel::text(qint64 row, int column) const {
    const std::string &cell = result_->rows[rowAt(order_, static_cast<std::size_t>(row))][static_cast<std::size_t>(column)];
    return typeAt(row, column) == store::kBlob ? tr("%1 bytes").arg(cell.size()) : qs(cell);
}

int ResultModel::typeAt(qint64 row, int column) const {
    return result_->types[rowAt(order_, static_cast<std::size_t>(row))][static_cast<std::size_t>(column)];
}

QString ResultModel::copied(qint64 first, qint64 last) const {
    const QLatin1Char tab('\t');
    QStringList lines, cells;
    for (const std::string &column : result_->columns)
        cells << csvCell(qs(column), tab);
    lines << cells.join(tab);
    for (qint64 row = first; row <= last; ++row) {
        cells.clear();
        for (int column = 0; column < columnCount(); ++column)
            cells << csvCell(text(row, column), tab);
        lines << cells.join(tab);
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

// Times and durations of the public views are nanoseconds: said again as people say them.
QString ResultModel::hint(qint64 row, int column) const {
    const std::string &name = result_->columns[static_cast<std::size_t>(column)];
    const int type = typeAt(row, column);
    const QString cell = text(row, column);
    if (type == store::kInteger && name == "ts")
        return tr("%1 after the workspace's origin").arg(timeText(cell.toLongLong()));
    if (type == store::kInteger && name == "dur")
        return durationText(cell.toLongLong());
    return isNumber(type) || type == store::kNull ? QString() : cell.left(kMostHinted);
}

QVariant ResultModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const qint64 row = rowOf(index);
    const int type = typeAt(row, index.column());
    switch (role) {
        case Qt::DisplayRole:
            return type == store::kNull ? QStringLiteral("NULL") : inOneLine(text(row, index.column()));
        case Qt::ToolTipRole:
            return hint(row, index.column());
        case Qt::ForegroundRole:
            return type == store::kNull || type == store::kBlob
                       ? QVariant(QGuiApplication::palette().color(QPalette::PlaceholderText))
                       : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::Alignment(isNumber(type) ? Qt::AlignRight : Qt::AlignLeft) |
                                       Qt::AlignVCenter);
        default:
            return {};
    }
}

QVariant ResultModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section >= 0 && section < columnCount())
        return qs(result_->columns[static_cast<std::size_t>(section)]);
    return WindowModel::headerData(section, orientation, role);
}

}  // namespace wattproof::widgets
