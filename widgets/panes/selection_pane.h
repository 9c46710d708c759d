// What happened in the selected area: numbers by name, and the energy of the range per device with its coverage.
#pragma once

#include "widgets/panes/name_stats_model.h"
#include "widgets/panes/range_energy.h"
#include "widgets/session.h"

#include <memory>

#include <QWidget>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace wattproof::widgets {

class EmptyHint;
class TableView;

class SelectionPane : public QWidget {
    Q_OBJECT

public:
    explicit SelectionPane(Session *session, QWidget *parent = nullptr);

    [[nodiscard]] const NameStatsModel &model() const { return *model_; }
    [[nodiscard]] QString csv() const;

signals:
    void csvRequested();

private:
    struct Answer {
        std::vector<store::NameStats> rows;
        std::vector<RangeEnergyRow> energy;
    };

    void ask();
    void show(const Answer &);

    Session *session_;
    std::shared_ptr<RangeEnergy> energies_ = std::make_shared<RangeEnergy>();
    NameStatsModel *model_;
    QStackedWidget *pages_;
    EmptyHint *hint_;
    QLabel *range_;
    QLabel *energy_;
    TableView *table_;
};

}  // namespace wattproof::widgets
