// What the workspace was made of: each source with what it holds; one can be taken out or read anew.
#pragma once

#include "widgets/panes/sources_model.h"
#include "widgets/window/document.h"

#include <QDialog>

class QLabel;
class QMessageBox;
class QPushButton;
class QStackedWidget;

namespace wattproof::widgets {

class TableView;

class SourcesDialog : public QDialog {
    Q_OBJECT

public:
    // On the document's session, which outlives the dialog.
    explicit SourcesDialog(Document &document, QWidget *parent = nullptr);
    [[nodiscard]] const SourcesModel &model() const { return *model_; }
    [[nodiscard]] TableView *table() const { return table_; }
    [[nodiscard]] QPushButton *removeButton() const { return remove_; }
    [[nodiscard]] QPushButton *againButton() const { return again_; }

private:
    void build();
    void ask();
    void show(std::vector<SourceEntry> sources);
    void choose();
    void showState();
    void askRemove();
    void askAgain();
    [[nodiscard]] const SourceEntry *chosen() const;

    Document &document_;
    Session *session_;
    SourcesModel *model_;
    QStackedWidget *pages_;
    TableView *table_;
    QLabel *details_;
    QPushButton *again_;
    QPushButton *remove_;
    SourceId chosen_;
    int chosenRow_ = 0;  // as shown: where a source that went leaves the choice
};

}  // namespace wattproof::widgets
