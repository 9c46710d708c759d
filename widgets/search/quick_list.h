// A list over the window that narrows as one types: Enter chooses, Escape leaves, and the focus goes back to where it was.
#pragma once

#include "widgets/search/quick_list_model.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;

namespace wattproof::widgets {

class QuickList : public QWidget {
    Q_OBJECT

public:
    explicit QuickList(QWidget *window);

    // prompt: stands in the empty line, and is its name for screen readers; none: said where nothing fits.
    void open(std::vector<QuickItem> items, const QString &prompt, const QString &none);
    void leave();
    [[nodiscard]] QLineEdit *field() const { return field_; }
    [[nodiscard]] QListView *list() const { return list_; }
    [[nodiscard]] QuickListModel &model() { return *model_; }

signals:
    void chosen(const QString &key);  // the list is gone by then

protected:
    bool eventFilter(QObject *, QEvent *) override;
    void paintEvent(QPaintEvent *) override;

private:
    void place();
    void narrow(const QString &pattern);
    void choose(const QModelIndex &);
    [[nodiscard]] bool handleKey(int key, QEvent *);

    QLineEdit *field_;
    QListView *list_;
    QLabel *none_;
    QuickListModel *model_;
    QPointer<QWidget> before_;  // had the focus
};

}  // namespace wattproof::widgets
