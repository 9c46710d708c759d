// The thermal overlay: power, temperature and clocks on the shared time axis, with limits, throttling, gaps and
// stretches that are not to be trusted.
#pragma once

#include "widgets/overlay/channels.h"
#include "widgets/overlay/marks.h"
#include "widgets/overlay/readout.h"
#include "widgets/overlay/sampled.h"
#include "widgets/plot/picture_cache.h"
#include "widgets/plot/plot_pane.h"
#include "widgets/plot/run_tables.h"

#include <map>
#include <set>
#include <vector>

class QToolButton;

namespace wattproof::widgets {

class ChannelPicker;
class OverlayPlot;

class OverlayPane : public PlotPane {
    Q_OBJECT

public:
    explicit OverlayPane(Session *session, QWidget *parent = nullptr);

    // While on, dragging in the plot moves the curves of one source in time instead of selecting. No source: the
    // first power log. Turning it off puts curves back that were dropped but never aligned.
    void setAlignmentMode(bool on, SourceId source = {});
    [[nodiscard]] bool alignmentMode() const { return alignmentMode_; }

    // Of the devices that are chosen; at first that is the first one.
    [[nodiscard]] const std::vector<OverlayChannel> &channels() const { return channels_; }
    [[nodiscard]] const OverlayPlot &plot() const { return *plot_; }
    [[nodiscard]] ChannelPicker *picker() const { return picker_; }
    [[nodiscard]] QToolButton *stackButton() const { return stack_; }
    // Readings as the stretches of time they are means of, instead of a curve through instants.
    [[nodiscard]] QToolButton *sampledButton() const { return asSampled_; }
    [[nodiscard]] const SampledCache &sampled() const { return sampled_; }
    [[nodiscard]] QToolButton *warningsButton() const { return warnings_; }
    void chooseDevices(const std::set<DeviceId> &);
    [[nodiscard]] const std::set<DeviceId> &chosenDevices() const { return devices_; }
    // What each channel reads at the cursor: "231 W", "gap", "–" without a cursor or beyond the log.
    [[nodiscard]] QString reading(std::size_t channel) const;
    void setShown(std::size_t channel, bool);
    [[nodiscard]] bool isShown(std::size_t channel) const { return shown_[channel]; }
    // Where a channel's entry of the legend stands, once painted; a click there hides or shows its curve.
    [[nodiscard]] QRectF legendEntry(std::size_t channel) const { return legend_.at(channel); }
    // The box beside the pointer: exact readings with their age and sensor.
    [[nodiscard]] const ReadoutBox &readout() const { return *readout_; }

    [[nodiscard]] QSize sizeHint() const override { return {1000, 240}; }

signals:
    // During the drag: how far the curve is from where the drag began.
    void alignmentDragged(wattproof::SourceId source, wattproof::Ns delta);
    // At its end: the new offset of the source (its present one plus the whole delta).
    void alignmentDropped(wattproof::SourceId source, wattproof::Ns offset);
    void warningsRequested();

protected:
    void themeChanged() override;
    void clicked(const QPointF &) override;
    void hovered(const QPointF &) override;
    void hoverEnded() override;
    bool startDrag(const QPointF &) override;
    void dragTo(const QPointF &) override;
    void endDrag(const QPointF &) override;
    void paintPicture(QPainter &) override;
    void resizeEvent(QResizeEvent *) override;
    void hideEvent(QHideEvent *) override;

private:
    class Glass;

    void connectAll();
    void takeTables();
    void rebuild();
    void fillPicker();
    void showChannel(std::size_t device, std::size_t channel, bool shown);
    void refreshCurves();
    void takeAnswers();
    void takePictures();
    void refreshMarks();
    void chooseSampled();
    void tintButtons();
    void showWarnings();
    void askReadout(Ns at, QPoint pointer);
    [[nodiscard]] MarkedChannels markedChannels() const;
    [[nodiscard]] std::vector<draw::ClampMark> clampsOfChosen() const;
    [[nodiscard]] Ns shiftOf(const OverlayChannel &, const CounterPicture &);
    [[nodiscard]] SourceId sourceToAlign() const;
    void paintGlass(QPainter &);
    void paintLegend(QPainter &);
    [[nodiscard]] double paintEntry(QPainter &, std::size_t channel, double left);
    void paintClampLegend(QPainter &, double left) const;
    void paintClampNames(QPainter &) const;

    // What a curve was last made of: it is made anew only when that changed.
    struct Drawn {
        std::uint64_t arrivals = 0;
        Ns shift = 0;
        bool operator==(const Drawn &) const = default;
    };

    RunData *data_;
    PictureCache pictures_;
    MarkCache marks_;
    SampledCache sampled_;
    OverlayPlot *plot_;
    ChannelPicker *picker_;
    QToolButton *stack_, *asSampled_, *warnings_;
    QWidget *glass_;
    ReadoutBox *readout_;
    std::set<DeviceId> devices_;
    std::vector<OverlayChannel> channels_;
    std::vector<bool> shown_;
    std::vector<draw::ClampMark> clamps_;  // of the chosen devices
    std::map<CounterId, bool> choices_;    // what the user hid or showed
    std::vector<Drawn> drawn_;
    std::uint64_t marksDrawn_ = 0;
    std::vector<QRectF> legend_;
    QPoint pointer_;
    bool alignmentMode_ = false;
    SourceId alignmentSource_;
    Ns dragStart_ = 0, dragDelta_ = 0;
    std::map<CounterId, std::uint64_t> droppedAt_;  // arrival number of the picture that the drag moved
};

}  // namespace wattproof::widgets
