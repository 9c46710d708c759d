// What the pointer does in the overlay: moving curves to align them, hiding channels, reading them.
#include "widgets/overlay/overlay_pane.h"
#include "widgets/overlay/overlay_plot.h"
#include "widgets/panes/words.h"

#include <algorithm>
#include <utility>

namespace wattproof::widgets {

// A dropped curve stays where it was dropped until the store's answer for its new place is here: nothing jumps.
Ns OverlayPane::shiftOf(const OverlayChannel &channel, const CounterPicture &picture) {
    if (!alignmentMode_ || channel.counter.source != sourceToAlign())
        return 0;
    const auto dropped = droppedAt_.find(channel.counter.id);
    return dropped != droppedAt_.end() && dropped->second != picture.arrivals ? 0 : dragDelta_;
}

SourceId OverlayPane::sourceToAlign() const {
    if (alignmentSource_.valid())
        return alignmentSource_;
    const auto power = std::find_if(channels_.begin(), channels_.end(),
                                    [](const OverlayChannel &c) { return c.axis == ChannelAxis::Power; });
    return power == channels_.end() ? SourceId() : power->counter.source;
}

void OverlayPane::setAlignmentMode(bool on, SourceId source) {
    alignmentMode_ = on;
    alignmentSource_ = source;
    dragDelta_ = 0;
    droppedAt_.clear();
    setCursor(on ? Qt::SizeHorCursor : Qt::ArrowCursor);
    refreshCurves();
}

bool OverlayPane::startDrag(const QPointF &at) {
    readout_->hide();
    if (!alignmentMode_ || !inPlot(at) || !sourceToAlign().valid())
        return false;
    dragStart_ = timeScale().time(at.x());
    dragDelta_ = 0;
    droppedAt_.clear();
    return true;
}

void OverlayPane::dragTo(const QPointF &at) {
    dragDelta_ = timeScale().time(at.x()) - dragStart_;
    refreshCurves();
    emit alignmentDragged(sourceToAlign(), dragDelta_);
}

void OverlayPane::endDrag(const QPointF &at) {
    dragTo(at);
    for (const OverlayChannel &channel : channels_)
        droppedAt_[channel.counter.id] =
            pictures_.counter(channel.counter.id, view().visible(), timeScale().width * devicePixelRatioF())
                .arrivals;
    const SourceRow *source = data_->tables().source(sourceToAlign());
    if (source && dragDelta_ != 0)
        emit alignmentDropped(source->id, source->map.offset + dragDelta_);
}

void OverlayPane::clicked(const QPointF &at) {
    const auto entry =
        std::find_if(legend_.begin(), legend_.end(), [&at](const QRectF &r) { return r.contains(at); });
    if (entry == legend_.end())
        return view().clearSelection();
    const auto channel = static_cast<std::size_t>(entry - legend_.begin());
    setShown(channel, !shown_[channel]);
}

void OverlayPane::hovered(const QPointF &at) {
    pointer_ = mapToGlobal(at.toPoint());
    if (!inPlot(at) || channels_.empty() || !plot_->plotRect().adjusted(0, 0, 0, 60).contains(at))
        return readout_->hide();
    if (readout_->isVisible())
        readout_->placeAt(pointer_);
    askReadout(timeScale().time(at.x()), pointer_);
}

void OverlayPane::askReadout(Ns at, QPoint pointer) {
    std::vector<OverlayChannel> shown;
    for (std::size_t i = 0; i < channels_.size(); ++i)
        if (shown_[i])
            shown.push_back(channels_[i]);
    session().queries().ask(
        this, "overlay/readout",
        [shown = std::move(shown), masks = throttleMasks(data_->tables(), devices_), at](
            store::Reader &reader, const std::stop_token &stop) { return readAt(reader, shown, masks, at, stop); },
        [this, at, pointer](Expected<std::vector<ReadoutRow>> &&rows) {
            if (!rows || pointer != pointer_)
                return;
            readout_->setRows(timeText(at), std::move(*rows));
            readout_->placeAt(pointer);
            readout_->show();
        });
}

void OverlayPane::hoverEnded() {
    pointer_ = {};
    readout_->hide();
}

void OverlayPane::hideEvent(QHideEvent *event) {
    hoverEnded();
    PlotPane::hideEvent(event);
}

}  // namespace wattproof::widgets
