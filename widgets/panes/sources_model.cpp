#include "widgets/panes/sources_model.h"

#include "report/report.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/words.h"

#include <QFileInfo>
#include <QLocale>

namespace wattproof::widgets {
namespace {

// "1 240 000 slices": counts are exact.
QString countText(std::int64_t count, const QString &ofWhat) {
    QString number = QLocale(QLocale::English).toString(static_cast<qlonglong>(count));
    number.replace(QLatin1Char(','), QChar(0x2009));
    return QStringLiteral("%1 %2").arg(number, ofWhat);
}

QString rangeOfPart(const QString &range) {
    const QStringList sides = range.split(QLatin1String(".."));
    return sides.value(1).isEmpty() ? SourcesModel::tr("%1 s to the end").arg(sides.value(0))
                                    : SourcesModel::tr("%1 – %2 s").arg(sides.value(0), sides.value(1));
}

QString holdsText(const SourceEntry &source) {
    QStringList parts;
    if (source.slices > 0)
        parts << countText(source.slices, SourcesModel::tr("slices"));
    if (source.samples > 0)
        parts << countText(source.samples, SourcesModel::tr("samples"));
    return parts.isEmpty() ? QStringLiteral("–") : parts.join(QStringLiteral(", "));
}

QString shown(const SourceEntry &source, int column) {
    switch (column) {
        case SourcesModel::File:
            return QFileInfo(qs(source.row.path)).fileName();
        case SourcesModel::Format:
            return qs(source.row.format);
        case SourcesModel::Begin:
            return source.extent.empty() ? QStringLiteral("–") : durationText(source.extent.begin);
        case SourcesModel::Length:
            return source.extent.empty() ? QStringLiteral("–") : durationText(source.extent.length());
        case SourcesModel::Size:
            return qs(report::quantity(static_cast<double>(source.row.sizeBytes), "B"));
        case SourcesModel::Holds:
            return holdsText(source);
        case SourcesModel::Warnings:
            return QString::number(source.warnings);
        default:
            return partText(source.part);
    }
}

QVariant exact(const SourceEntry &source, int column) {
    switch (column) {
        case SourcesModel::File:
            return qs(source.row.path);
        case SourcesModel::Begin:
            return static_cast<qlonglong>(source.extent.begin);
        case SourcesModel::Length:
            return static_cast<qlonglong>(source.extent.length());
        case SourcesModel::Size:
            return static_cast<qulonglong>(source.row.sizeBytes);
        case SourcesModel::Holds:
            return static_cast<qlonglong>(source.slices + source.samples);
        case SourcesModel::Warnings:
            return static_cast<qlonglong>(source.warnings);
        default:
            return shown(source, column);
    }
}

QString hint(const SourceEntry &source, int column) {
    const bool timed = column == SourcesModel::Begin || column == SourcesModel::Length;
    if (timed && source.extent.empty())
        return SourcesModel::tr("Nothing in this source has a time");
    if (timed)
        return SourcesModel::tr("%1 ns").arg(exact(source, column).toLongLong());
    if (column == SourcesModel::Size)
        return SourcesModel::tr("%1 bytes").arg(source.row.sizeBytes);
    if (column == SourcesModel::Holds)
        return SourcesModel::tr("%1 slices, %2 samples").arg(source.slices).arg(source.samples);
    return column == SourcesModel::File ? qs(source.row.path) : shown(source, column);
}

QVariant alignmentOf(int column) {
    const bool number = column == SourcesModel::Begin || column == SourcesModel::Length ||
                        column == SourcesModel::Size || column == SourcesModel::Warnings;
    return QVariant::fromValue(Qt::Alignment(number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

QString partText(const TracePart &part) {
    QStringList parts;
    if (!part.range.empty())
        parts << rangeOfPart(qs(part.range));
    if (!part.categories.empty())
        parts << qs(part.categories).replace(QLatin1Char(','), QLatin1String(", "));
    return parts.isEmpty() ? SourcesModel::tr("all") : parts.join(QStringLiteral(" · "));
}

void SourcesModel::setRows(std::vector<SourceEntry> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int SourcesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SourcesModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SourcesModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const SourceEntry &source = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return shown(source, index.column());
        case kExactRole:
            return exact(source, index.column());
        case Qt::ToolTipRole:
            return hint(source, index.column());
        case Qt::TextAlignmentRole:
            return alignmentOf(index.column());
        default:
            return {};
    }
}

QVariant SourcesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    if (role != Qt::DisplayRole && role != kExactRole)
        return {};
    const QStringList names{tr("File"), tr("Format"), tr("Begin"), tr("Length"),
                            tr("Size"), tr("Holds"),  tr("Warnings"), tr("Part")};
    return names[section];
}

}  // namespace wattproof::widgets
