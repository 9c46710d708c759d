#include "widgets/import/mapping_model.h"

#include "widgets/import/look_words.h"
#include "widgets/panes/words.h"

#include <algorithm>

#include <QComboBox>
#include <QCoreApplication>
#include <QPainter>
#include <QTimer>

namespace wattproof::widgets {
namespace {

struct Meaning {
    const char *quantity, *text;
    const char *units;
};
// Quantities that analysis knows, with the units logs write them in; the first is the one to begin with.
const Meaning kMeanings[] = {
    {"power", QT_TRANSLATE_NOOP("Mapping", "power"), "W mW uW kW"},
    {"energy", QT_TRANSLATE_NOOP("Mapping", "energy"), "J mJ uJ kJ Wh mWh kWh"},
    {"temperature", QT_TRANSLATE_NOOP("Mapping", "temperature"), "C"},
    {"clock", QT_TRANSLATE_NOOP("Mapping", "clock"), "MHz GHz kHz Hz"},
    {"utilisation", QT_TRANSLATE_NOOP("Mapping", "utilisation"), "% 1"},
    {"limit", QT_TRANSLATE_NOOP("Mapping", "power limit"), "W mW kW"},
    {"voltage", QT_TRANSLATE_NOOP("Mapping", "voltage"), "V mV"},
    {"current", QT_TRANSLATE_NOOP("Mapping", "current"), "A mA uA"},
    {"memory", QT_TRANSLATE_NOOP("Mapping", "memory"), "MiB GiB B kB MB GB"},
    {"fan", QT_TRANSLATE_NOOP("Mapping", "fan speed"), "% RPM"},
};
constexpr CounterKind kKinds[] = {CounterKind::Gauge, CounterKind::Mean, CounterKind::Delta, CounterKind::Counter};

QString translated(const char *text) {
    return QCoreApplication::translate("Mapping", text);
}

const Meaning *meaningOf(const std::string &quantity) {
    const auto at = std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning &m) { return quantity == m.quantity; });
    return at == std::end(kMeanings) ? nullptr : at;
}

QString wordOf(const MappedColumn &column) {
    switch (column.role) {
        case ColumnRole::Ignore:
            return MappingModel::tr("left out");
        case ColumnRole::Time:
            return MappingModel::tr("time");
        case ColumnRole::Date:
            return MappingModel::tr("day");
        case ColumnRole::Device:
            return MappingModel::tr("device");
        case ColumnRole::Value:
            break;
    }
    const Meaning *meaning = meaningOf(column.quantity);
    return meaning ? translated(meaning->text) : qs(column.quantity);
}

QStringList meaningWords() {
    QStringList words;
    for (const ColumnRole role : {ColumnRole::Ignore, ColumnRole::Time, ColumnRole::Date, ColumnRole::Device})
        words << wordOf({{}, role, {}, {}, {}, CounterKind::Gauge, {}});
    for (const Meaning &meaning : kMeanings)
        words << translated(meaning.text);
    return words;
}

constexpr auto kNothing = "–";

}  // namespace

void MappingModel::setLook(TableLook look) {
    beginResetModel();
    look_ = std::move(look);
    endResetModel();
    emit mappingChanged();
}

void MappingModel::setTable(const TableMapping &whole) {
    std::vector<MappedColumn> columns = std::move(look_.mapping.columns);
    look_.mapping = whole;
    look_.mapping.columns = std::move(columns);
    emit mappingChanged();
}

int MappingModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(look_.mapping.columns.size());
}

int MappingModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString MappingModel::shown(std::size_t row, int column) const {
    const MappedColumn &mapped = look_.mapping.columns[row];
    const bool value = mapped.role == ColumnRole::Value;
    switch (column) {
        case Name:
            return qs(mapped.header);
        case First: {
            QStringList first;
            for (std::size_t i = 0; i < look_.rows.size() && i < 3; ++i)
                first << qs(look_.rows[i][row]);
            return first.join(QStringLiteral(" · "));
        }
        case Means:
            return wordOf(mapped);
        case Unit:
            return value ? qs(mapped.unit) : QString::fromUtf8(kNothing);
        case Kind:
            return value ? kindWords(mapped.kind) : QString::fromUtf8(kNothing);
        case Device:
            return !value ? QString::fromUtf8(kNothing) : mapped.device.empty() ? tr("as the row says") : qs(mapped.device);
        default:
            return qs(mapped.why);
    }
}

QStringList MappingModel::options(const MappedColumn &mapped, int column) const {
    if (column == Means)
        return meaningWords();
    if (mapped.role != ColumnRole::Value)
        return {};
    const Meaning *meaning = meaningOf(mapped.quantity);
    if (column == Unit)
        return QString::fromLatin1(meaning ? meaning->units : "1").split(QLatin1Char(' '));
    QStringList words;
    if (column == Kind)
        for (const CounterKind kind : kKinds)
            words << kindWords(kind);
    if (column == Device)
        words << tr("as the row says") << QStringLiteral("GPU 0") << QStringLiteral("GPU 1") << tr("package-0") << tr("node");
    return words;
}

QVariant MappingModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const MappedColumn &mapped = look_.mapping.columns[row];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
        case Qt::ToolTipRole:
            return shown(row, index.column());
        case kOptionsRole:
            return options(mapped, index.column());
        case kFreeRole:
            return index.column() == Unit || index.column() == Device;
        default:
            return {};
    }
}

void MappingModel::setMeaning(std::size_t row, const QString &word) {
    MappedColumn &column = look_.mapping.columns[row];
    const auto roleAt = static_cast<int>(meaningWords().indexOf(word));
    if (roleAt < 0)
        return;
    column.why = tr("chosen").toStdString();
    if (roleAt < static_cast<int>(ColumnRole::Value)) {
        column.role = static_cast<ColumnRole>(roleAt);
        // There is one time, one day and one device column.
        if (column.role != ColumnRole::Ignore)
            for (std::size_t i = 0; i < look_.mapping.columns.size(); ++i)
                if (i != row && look_.mapping.columns[i].role == column.role)
                    look_.mapping.columns[i].role = ColumnRole::Ignore;
        if (column.role == ColumnRole::Device)
            look_.mapping.deviceIsIndex =
                std::all_of(look_.rows.begin(), look_.rows.end(), [row](const std::vector<std::string> &cells) {
                    return !cells[row].empty() && cells[row].find_first_not_of("0123456789") == std::string::npos;
                });
        return;
    }
    const Meaning &meaning = kMeanings[roleAt - static_cast<int>(ColumnRole::Value)];
    const QStringList units = QString::fromLatin1(meaning.units).split(QLatin1Char(' '));
    column.role = ColumnRole::Value;
    if (column.quantity != meaning.quantity || column.unit.empty()) {
        column.quantity = meaning.quantity;
        if (!units.contains(qs(column.unit)))
            column.unit = units.front().toStdString();
        column.kind = column.quantity == "energy" ? CounterKind::Counter : CounterKind::Gauge;
    }
}

bool MappingModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !index.isValid())
        return false;
    const auto row = static_cast<std::size_t>(index.row());
    MappedColumn &column = look_.mapping.columns[row];
    const QString word = value.toString().trimmed();
    if (index.column() == Means) {
        setMeaning(row, word);
    } else if (index.column() == Unit && !word.isEmpty()) {
        column.unit = word.toStdString();
    } else if (index.column() == Device) {
        column.device = word == tr("as the row says") ? std::string() : word.toStdString();
    } else if (index.column() == Kind) {
        for (const CounterKind kind : kKinds)
            if (kindWords(kind) == word)
                column.kind = kind;
    } else {
        return false;
    }
    emit dataChanged(this->index(0, 0), this->index(rowCount() - 1, ColumnCount - 1));
    emit mappingChanged();
    return true;
}

QVariant MappingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("Column"), tr("First values"), tr("Means"), tr("Unit"), tr("Kind"), tr("Device"), tr("Because of")};
    return names[section];
}

Qt::ItemFlags MappingModel::flags(const QModelIndex &index) const {
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    return index.isValid() && !data(index, kOptionsRole).toStringList().isEmpty() ? usual | Qt::ItemIsEditable : usual;
}

void ChoiceDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (!(index.flags() & Qt::ItemIsEditable))
        return;
    const bool selected = option.state & QStyle::State_Selected;
    painter->save();
    painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
    painter->drawText(option.rect.adjusted(0, 0, -6, 0), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("▾"));
    painter->restore();
}

QWidget *ChoiceDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const {
    auto *box = new QComboBox(parent);
    box->addItems(index.data(MappingModel::kOptionsRole).toStringList());
    box->setEditable(index.data(MappingModel::kFreeRole).toBool());
    box->setMaxVisibleItems(16);
    box->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal).toString());
    auto *self = const_cast<ChoiceDelegate *>(this);
    connect(box, &QComboBox::activated, self, [self, box] {
        emit self->commitData(box);
        emit self->closeEditor(box);
    });
    if (!box->isEditable())
        QTimer::singleShot(0, box, [box] { box->showPopup(); });
    return box;
}

void ChoiceDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const {
    auto *box = qobject_cast<QComboBox *>(editor);
    const QString text = index.data(Qt::EditRole).toString();
    box->setCurrentIndex(box->findText(text));
    if (box->isEditable())
        box->setEditText(text);
}

void ChoiceDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const {
    model->setData(index, qobject_cast<QComboBox *>(editor)->currentText(), Qt::EditRole);
}

}  // namespace wattproof::widgets
