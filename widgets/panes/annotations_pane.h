// Notes on the time axis: write one on the selection, go to it, change it, delete it. All can be undone.
#pragma once

#include "widgets/panes/annotations_model.h"
#include "widgets/session.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace wattproof::widgets {

class TableView;

class AnnotationsPane : public QWidget {
    Q_OBJECT

public:
    explicit AnnotationsPane(Session *session, QWidget *parent = nullptr);

    // Puts the keyboard into the field for a new note on what is selected.
    void beginNote();
    [[nodiscard]] QLineEdit *noteField() const { return note_; }
    [[nodiscard]] const AnnotationsModel &model() const { return *model_; }
    void removeSelected();

private:
    void ask();
    void addNote();
    void sayTarget();
    void jumpTo(const QModelIndex &shown);

    Session *session_;
    AnnotationsModel *model_;
    TableView *table_;
    QStackedWidget *pages_;
    QLabel *target_;
    QLineEdit *note_;
    QPushButton *add_;
};

}  // namespace wattproof::widgets
