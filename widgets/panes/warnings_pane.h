// Warnings of every source and of the last analysis; tells how many there are, for the tab.
#pragma once

#include "widgets/panes/warnings_model.h"
#include "widgets/session.h"

#include <QWidget>

class QStackedWidget;

namespace wattproof::widgets {

class TableView;

class WarningsPane : public QWidget {
    Q_OBJECT

public:
    explicit WarningsPane(Session *session, QWidget *parent = nullptr);
    [[nodiscard]] const WarningsModel &model() const { return *model_; }

signals:
    void countChanged(int count);

private:
    void ask();
    void show(std::vector<ShownWarning> fromSources);

    Session *session_;
    WarningsModel *model_;
    QStackedWidget *pages_;
    TableView *table_;
};

}  // namespace wattproof::widgets
