// The line of the tool bar in which slices are looked for: results as one types, Enter to the next, Shift+Enter to the
// previous, Escape away from it. It has its place whether or not anything is searched: nothing moves.
#pragma once

#include "widgets/search/slice_finder.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace wattproof::widgets {

class SearchBar : public QWidget {
    Q_OBJECT

public:
    explicit SearchBar(QWidget *parent = nullptr);

    void setSession(Session *);  // null: none
    [[nodiscard]] QLineEdit *field() const { return field_; }
    [[nodiscard]] QString resultText() const;

    void begin();  // takes the focus and selects what is there
    void step(int direction);
    void leave();  // forgets the search and gives the focus back

signals:
    void left();  // nobody is there to take the focus back

protected:
    bool eventFilter(QObject *, QEvent *) override;

private:
    void show();
    QToolButton *addButton(Qt::ArrowType, const QString &name, int direction);

    Session *session_ = nullptr;
    SliceFinder *finder_ = nullptr;
    QLineEdit *field_;
    QLabel *result_;
    QToolButton *previous_, *next_;
    QPointer<QWidget> before_;  // had the focus
};

}  // namespace wattproof::widgets
