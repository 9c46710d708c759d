// The thermal overlay: power, temperature and clocks on the shared time axis, with limits, clamps and gaps.
#pragma once

#include "widgets/overlay/channels.h"
#include "widgets/plot/picture_cache.h"
#include "widgets/plot/plot_pane.h"
#include "widgets/plot/run_tables.h"

#include <map>
#include <vector>

class QComboBox;

namespace wattproof::widgets {

class OverlayPlot;

class OverlayPane : public PlotPane {
    Q_OBJECT

public:
    explicit OverlayPane(Session *session, QWidget *parent = nullptr);

    // While on, dragging in the plot moves the curves of one source in time instead of selecting. No source: the
    // first power log. Turning it off puts curves back that were dropped but never aligned.
    void setAlignmentMode(bool on, SourceId source = {});
    [[nodiscard]] bool alignmentMode() const { return alignmentMode_; }

    [[nodiscard]] const std::vector<OverlayChannel> &channels() const { return channels_; }
    [[nodiscard]] const OverlayPlot &plot() const { return *plot_; }
    // What each channel reads at the cursor: "231 W", "gap", "–" without a cursor or beyond the log.
    [[nodiscard]] QString reading(std::size_t channel) const;
    void setShown(std::size_t channel, bool);
    [[nodiscard]] bool isShown(std::size_t channel) const { return shown_[channel]; }
    // Where a channel's entry of the legend stands, once painted; a click there hides or shows its curve.
    [[nodiscard]] QRectF legendEntry(std::size_t channel) const { return legend_.at(channel); }

    [[nodiscard]] QSize sizeHint() const override { return {1000, 190}; }

signals:
    // During the drag: how far the curve is from where the drag began.
    void alignmentDragged(wattproof::SourceId source, wattproof::Ns delta);
    // At its end: the new offset of the source (its present one plus the whole delta).
    void alignmentDropped(wattproof::SourceId source, wattproof::Ns offset);

protected:
    void themeChanged() override;
    void clicked(const QPointF &) override;
    bool startDrag(const QPointF &) override;
    void dragTo(const QPointF &) override;
    void endDrag(const QPointF &) override;
    void paintPicture(QPainter &) override;
    void resizeEvent(QResizeEvent *) override;

private:
    class Glass;

    void takeTables();
    void chooseDevice();
    void rebuild();
    void refreshCurves();
    [[nodiscard]] Ns shiftOf(const OverlayChannel &, const CounterPicture &);
    [[nodiscard]] SourceId sourceToAlign() const;
    void paintGlass(QPainter &);
    void paintLegend(QPainter &);
    void paintClampLegend(QPainter &, double left) const;
    void paintClampNames(QPainter &) const;

    RunData *data_;
    PictureCache pictures_;
    OverlayPlot *plot_;
    QComboBox *device_;
    QWidget *glass_;
    std::vector<OverlayChannel> channels_;
    std::vector<bool> shown_;
    std::vector<QRectF> legend_;
    bool alignmentMode_ = false;
    SourceId alignmentSource_;
    Ns dragStart_ = 0, dragDelta_ = 0;
    std::map<CounterId, std::uint64_t> droppedAt_;  // arrival number of the picture that the drag moved
};

}  // namespace wattproof::widgets
