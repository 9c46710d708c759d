// What can be chosen in a quick list, narrowed and ordered by what is typed.
#pragma once

#include <vector>

#include <QAbstractListModel>
#include <QString>

namespace wattproof::widgets {

struct QuickItem {
    QString key;     // told when it is chosen
    QString text;
    QString detail;  // grey, at the right: a shortcut, where a track belongs, why it cannot be chosen
    QString more;    // also matched, not shown
    bool enabled = true;
    int rank = 0;    // used more lately: larger; decides where nothing is typed and between equals
};

class QuickListModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { Detail = Qt::UserRole, Key };

    using QAbstractListModel::QAbstractListModel;

    void setItems(std::vector<QuickItem> items);
    void setPattern(const QString &);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &) const override;
    [[nodiscard]] int firstEnabledRow() const;  // -1: none

private:
    void narrow();

    std::vector<QuickItem> items_;
    std::vector<QString> texts_, wholes_;  // folded: what is shown, and with all that is matched
    std::vector<int> shown_;               // into items_, the best first
    QString pattern_;
};

}  // namespace wattproof::widgets
