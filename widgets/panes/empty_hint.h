// What an empty pane shows: what would fill it, and the action that does.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace wattproof::widgets {

class EmptyHint : public QWidget {
    Q_OBJECT

public:
    // actionText empty: no button.
    explicit EmptyHint(const QString &text, const QString &actionText = {}, QWidget *parent = nullptr);
    void setText(const QString &);

signals:
    void triggered();

private:
    QLabel *label_;
};

}  // namespace wattproof::widgets
