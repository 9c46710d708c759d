// A dense table that sorts, copies and exports: shown text on screen, exact values in what is copied.
#pragma once

#include <QTableView>

class QSortFilterProxyModel;

namespace wattproof::widgets {

// Models answer this role with the exact value of a cell (number or text): sorting and copies use it.
inline constexpr int kExactRole = Qt::UserRole + 100;

class TableView : public QTableView {
    Q_OBJECT

public:
    explicit TableView(QWidget *parent = nullptr);

    // Sorted through a proxy of its own, stable, numbers as numbers.
    void setSourceModel(QAbstractItemModel *);
    [[nodiscard]] int sourceRow(const QModelIndex &shown) const;
    // Rows as shown, header first, separated as RFC 4180 says; `onlySelected`: the selected rows, or all when none
    // is.
    [[nodiscard]] QString csv(QChar separator, bool onlySelected) const;
    void copy() const;

protected:
    void keyPressEvent(QKeyEvent *) override;

private:
    QSortFilterProxyModel *sorted_;
};

}  // namespace wattproof::widgets
