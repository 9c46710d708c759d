// Mean, p95, maximum, joules and coverage of every telemetry channel over the selected time, or over what is
// visible.
#pragma once

#include "widgets/panes/channel_stats_model.h"
#include "widgets/session.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QStackedWidget;

namespace wattproof::widgets {

class EmptyHint;
class TableView;

class ChannelsPane : public QWidget {
    Q_OBJECT

public:
    explicit ChannelsPane(Session *session, QWidget *parent = nullptr);

    [[nodiscard]] const ChannelStatsModel &model() const { return *model_; }
    [[nodiscard]] QString rangeText() const;

protected:
    void showEvent(QShowEvent *) override;

private:
    void later();
    void ask();
    [[nodiscard]] TimeRange range() const;

    Session *session_;
    ChannelStatsModel *model_;
    QStackedWidget *pages_;
    EmptyHint *hint_;
    QLabel *range_;
    TableView *table_;
    QTimer later_;  // what is visible changes many times a second while it moves
};

}  // namespace wattproof::widgets
