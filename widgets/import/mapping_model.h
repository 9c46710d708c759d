// The columns of a table that is mapped by hand, one a row: what each means, every choice editable.
#pragma once

#include "report/draw/theme.h"
#include "store/import_plan.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

namespace wattproof::widgets {

class MappingModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, First, Means, Unit, Kind, Device, Why, ColumnCount };
    // What a cell may become, as words; free text is taken too where FreeRole says so.
    static constexpr int kOptionsRole = Qt::UserRole + 1, kFreeRole = Qt::UserRole + 2;

    using QAbstractTableModel::QAbstractTableModel;

    void setLook(TableLook look);
    [[nodiscard]] const TableMapping &mapping() const { return look_.mapping; }
    [[nodiscard]] const std::vector<std::vector<std::string>> &rows() const { return look_.rows; }
    // What is said of the table as a whole; columns are left as they are.
    void setTable(const TableMapping &whole);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void mappingChanged();

private:
    [[nodiscard]] QString shown(std::size_t row, int column) const;
    [[nodiscard]] QStringList options(const MappedColumn &, int column) const;
    void setMeaning(std::size_t row, const QString &word);

    TableLook look_;
};

// Cells with a list to choose from: a small arrow, and the list at a click or a key.
class ChoiceDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *, const QStyleOptionViewItem &, const QModelIndex &) const override;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &) const override;
    void setEditorData(QWidget *editor, const QModelIndex &) const override;
    void setModelData(QWidget *editor, QAbstractItemModel *, const QModelIndex &) const override;
};

}  // namespace wattproof::widgets
