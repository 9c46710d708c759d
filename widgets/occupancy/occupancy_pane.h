// Occupancy: for each accelerator what share of each moment was compute, exposed communication, exposed copies or
// idle, how many operations ran at once, and how busy each stream was.
#pragma once

#include "widgets/occupancy/activity_data.h"
#include "widgets/plot/plot_pane.h"
#include "widgets/plot/run_tables.h"

namespace wattproof::widgets {

class OccupancyPane : public PlotPane {
    Q_OBJECT

public:
    explicit OccupancyPane(Session *session, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {1000, 160}; }
    // The shares of what is visible as one sentence for each device: shown in the gutter, copied, read aloud.
    [[nodiscard]] QStringList summary() const;

protected:
    void paintPicture(QPainter &) override;
    void paintOver(QPainter &) override;
    bool event(QEvent *) override;

private:
    void relayout();
    [[nodiscard]] QString deviceName(DeviceId) const;
    [[nodiscard]] QString streamName(TrackId) const;
    [[nodiscard]] QString hoverText(const QPointF &) const;
    void paintDevice(QPainter &, const DeviceActivity &, double top) const;
    void paintShares(QPainter &, const DeviceActivity &, double top) const;
    void paintStreams(QPainter &, const DeviceActivity &, double top) const;

    RunData *data_;
    ActivityData *activity_;
};

}  // namespace wattproof::widgets
