// The curves and axes of the overlay, drawn by QCustomPlot. This class keeps its heavy header in one file.
#pragma once

#include "report/draw/hatch.h"
#include "report/draw/theme.h"
#include "report/draw/time_words.h"
#include "widgets/overlay/channels.h"
#include "widgets/overlay/limits.h"
#include "widgets/overlay/stack_painter.h"
#include "widgets/overlay/throttle.h"

#include <functional>
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
    void setChannels(const std::vector<OverlayChannel> &, const std::vector<StatedLimit> &);
    void setClamps(const std::vector<draw::ClampMark> &);
    // Rows only ever come, so that nothing jumps while the view moves; setChannels() takes them away.
    void setThrottle(const std::vector<ThrottleSpan> &);
    // Buckets of a channel as they are drawn (asDrawn()), moved in time by `shift`.
    void setCurve(std::size_t channel, std::vector<store::CounterBucket>, Ns shift);
    void setDoubts(std::size_t channel, std::vector<DoubtSpan>);
    void setShown(std::size_t channel, bool);
    // Power domains as areas on top of each other instead of lines through one another.
    void setStacked(bool);
    void setTimeRange(TimeRange);
    void setTimeWords(const draw::TimeWords &);  // the grid stands where the ruler's ticks do
    void replot();      // once, before the next paint
    void replotSoon();  // answers of many channels come one by one: once for all of them
    // Paints over the curves, in the units of an axis.
    using Extra = std::function<void(QPainter &, const draw::TimeScale &, const draw::ValueScale &watts)>;
    void setExtra(Extra);

    // Where the curves are, in this widget's coordinates.
    [[nodiscard]] QRectF plotRect() const;
    // The row of spans of a throttle class; empty while no span of it has been seen.
    [[nodiscard]] QRectF throttleRow(const std::string &throttleClass) const;
    // Points of a channel as they were handed to the plot; a gap is one NaN.
    [[nodiscard]] std::vector<double> values(std::size_t channel) const;
    // Whether the plot stacks now: it is wanted, and there is more than one thing to stack.
    [[nodiscard]] bool isStacking() const;
    [[nodiscard]] std::vector<DrawnLayer> layers() const;
    [[nodiscard]] const LimitLines &limits() const;
    // Height of a value of an axis, in this widget's coordinates.
    [[nodiscard]] double yOf(ChannelAxis, double value) const;

protected:
    void resizeEvent(QResizeEvent *) override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace wattproof::widgets
