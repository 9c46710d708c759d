// The curves and axes of the overlay, drawn by QCustomPlot. This class keeps its heavy header in one file.
#pragma once

#include "report/draw/hatch.h"
#include "report/draw/theme.h"
#include "widgets/overlay/channels.h"

#include <memory>
#include <vector>

#include <QWidget>

namespace wattproof::widgets {

class OverlayPlot : public QWidget {
    Q_OBJECT

public:
    explicit OverlayPlot(QWidget *parent);
    ~OverlayPlot() override;

    void setTheme(const draw::Theme &);
    void setChannels(const std::vector<OverlayChannel> &, const std::vector<LimitLine> &);
    void setClamps(const std::vector<draw::ClampMark> &);
    // Buckets of a channel, moved in time by `shift`.
    void setCurve(std::size_t channel, const std::vector<store::CounterBucket> &, Ns shift);
    void setShown(std::size_t channel, bool);
    void setTimeRange(TimeRange);
    void replot();  // once, before the next paint

    // Where the curves are, in this widget's coordinates.
    [[nodiscard]] QRectF plotRect() const;
    // Points of a channel as they were handed to the plot; a gap is one NaN.
    [[nodiscard]] std::vector<double> values(std::size_t channel) const;

protected:
    void resizeEvent(QResizeEvent *) override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace wattproof::widgets
