// The user's notes on the time axis, as a table whose text can be edited.
#pragma once

#include "store/edits.h"

#include <vector>

#include <QAbstractTableModel>

namespace wattproof::widgets {

class AnnotationsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Duration, Text, Author, Created, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<store::Annotation> rows);
    void setWritable(bool);
    [[nodiscard]] const std::vector<store::Annotation> &rows() const { return rows_; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

signals:
    void textEdited(const wattproof::store::Annotation &changed);

private:
    std::vector<store::Annotation> rows_;
    bool writable_ = true;
};

}  // namespace wattproof::widgets
