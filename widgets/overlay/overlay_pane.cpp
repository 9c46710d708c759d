#include "widgets/overlay/overlay_pane.h"

#include "report/draw/labels.h"
#include "report/report.h"
#include "widgets/overlay/overlay_plot.h"

#include <algorithm>
#include <set>

#include <QComboBox>
#include <QPainter>
#include <QSignalBlocker>

namespace wattproof::widgets {
namespace {

constexpr double kLegendHeight = 22;

}  // namespace

// Lies over the plot and carries what follows the pointer, so that the curves are not drawn again for it.
class OverlayPane::Glass : public QWidget {
public:
    explicit Glass(OverlayPane *pane) : QWidget(pane), pane_(pane) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        pane_->paintGlass(painter);
    }

private:
    OverlayPane *pane_;
};

OverlayPane::OverlayPane(Session *session, QWidget *parent)
    : PlotPane(session, parent),
      data_(RunData::of(session)),
      pictures_(session, "overlay", this),
      plot_(new OverlayPlot(this)),
      device_(new QComboBox(this)),
      glass_(new Glass(this)) {
    setAccessibleName(tr("Thermal overlay"));
    setAccessibleDescription(tr("Power, temperature and clocks over time, with limits, clamps and gaps."));
    setMinimumHeight(110);
    device_->setAccessibleName(tr("Device whose channels are shown"));
    device_->setFocusPolicy(Qt::TabFocus);
    device_->raise();
    const auto reread = [this] { glass_->update(); };
    connect(&view(), &TimeView::cursorChanged, this, reread);
    connect(&view(), &TimeView::selectionChanged, this, reread);
    connect(&view(), &TimeView::visibleChanged, this, &OverlayPane::refreshCurves);
    connect(&pictures_, &PictureCache::arrived, this, &OverlayPane::refreshCurves);
    connect(data_, &RunData::changed, this, &OverlayPane::takeTables);
    connect(device_, &QComboBox::currentIndexChanged, this, &OverlayPane::rebuild);
    takeTables();
}

void OverlayPane::takeTables() {
    chooseDevice();
    rebuild();
}

// Keeps the chosen device when tables are read again; at first the first one, since lines of many devices are a
// tangle.
void OverlayPane::chooseDevice() {
    const QSignalBlocker quiet(device_);
    const QVariant chosen = device_->currentData();
    device_->clear();
    const std::vector<DeviceId> devices = overlayDevices(data_->tables());
    for (const DeviceId id : devices) {
        const DeviceRow *row = data_->tables().device(id);
        device_->addItem(row ? draw::safeText(row->name) : tr("No device"),
                         QVariant::fromValue<qlonglong>(id.value));
    }
    if (devices.size() > 1)
        device_->addItem(tr("All devices"), QVariant::fromValue<qlonglong>(0));
    device_->setCurrentIndex(std::max(0, device_->findData(chosen)));
    device_->setVisible(devices.size() > 1);
}

void OverlayPane::rebuild() {
    const DeviceId device(device_->currentData().toLongLong());
    channels_ = overlayChannels(data_->tables(), device, theme());
    shown_.assign(channels_.size(), true);
    plot_->setVisible(!channels_.empty());
    plot_->setChannels(channels_, overlayLimits(data_->tables(), device));
    plot_->setClamps(data_->tables().clamps);
    refreshCurves();
    invalidate();
}

void OverlayPane::refreshCurves() {
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        const CounterPicture &picture =
            pictures_.counter(channels_[i].counter.id, view().visible(), timeScale().width * devicePixelRatioF());
        plot_->setCurve(i, picture.items, shiftOf(channels_[i], picture));
    }
    plot_->setTimeRange(view().visible());
    plot_->replot();
    glass_->update();
}

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

void OverlayPane::setShown(std::size_t channel, bool shown) {
    shown_[channel] = shown;
    plot_->setShown(channel, shown);
    plot_->replot();
    glass_->update();
}

QString OverlayPane::reading(std::size_t index) const {
    const OverlayChannel &channel = channels_[index];
    const CounterPicture *picture = pictures_.cachedCounter(channel.counter.id);
    if (!view().cursor() || !picture || picture->items.empty())
        return QStringLiteral("–");
    double value = 0;
    const Ns at = *view().cursor();
    if (draw::valueAt(picture->items, at, channel.shape, value))
        return QString::fromStdString(report::quantity(value, channel.counter.unit));
    return channel.counter.extent.contains(at) ? tr("gap") : QStringLiteral("–");
}

void OverlayPane::themeChanged() {
    plot_->setTheme(theme());
    rebuild();
}

void OverlayPane::resizeEvent(QResizeEvent *event) {
    PlotPane::resizeEvent(event);
    plot_->setGeometry(rect());
    glass_->setGeometry(rect());
    device_->setGeometry(4, 2, 96, 20);
    refreshCurves();
}

void OverlayPane::paintPicture(QPainter &painter) {
    paintGrounds(painter);
    if (channels_.empty() && data_->loaded())
        paintEmpty(painter, tr("No power, temperature or clocks"),
                   tr("Add a power log of the same run to see what the work cost."));
}

void OverlayPane::paintGlass(QPainter &painter) {
    painter.fillRect(QRectF(kGutterWidth - devicePixel(), 0, devicePixel(), height()), theme().grid);
    if (!channels_.empty()) {
        paintClampNames(painter);
        paintLegend(painter);
    }
    paintAreaAndCursor(painter, 0, height());
}

// One line over the curves: stroke, name and the reading at the cursor of each channel.
void OverlayPane::paintLegend(QPainter &painter) {
    legend_.assign(channels_.size(), QRectF());
    const QFontMetricsF metrics(painter.font(), this);
    double x = kGutterWidth + 8;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        const QString text = channels_[i].label + QLatin1Char(' ') + reading(i);
        // Room for the widest reading, so that entries stand still while the cursor moves.
        const double width = 22 + metrics.horizontalAdvance(channels_[i].label + QStringLiteral(" 8.88 GHz")) + 12;
        if (x + width > this->width())
            break;
        legend_[i] = QRectF(x, 0, width, kLegendHeight);
        QColor colour = draw::channelColour(channels_[i].counter.quantity, theme());
        if (!shown_[i])
            colour = theme().grid;
        painter.setPen(QPen(colour, 2, channels_[i].style));
        painter.drawLine(QLineF(x, kLegendHeight / 2, x + 16, kLegendHeight / 2));
        painter.setPen(shown_[i] ? theme().text : theme().muted);
        painter.drawText(legend_[i].adjusted(22, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += width;
    }
    paintClampLegend(painter, x);
}

// Spans too narrow for a word of their own still have one here: hatch and colour never stand alone.
void OverlayPane::paintClampLegend(QPainter &painter, double left) const {
    std::set<std::string> classes;
    for (const draw::ClampMark &mark : data_->tables().clamps)
        if (timeScale().shows(mark.range))
            classes.insert(mark.clampClass);
    const QFontMetricsF metrics(painter.font(), this);
    for (const std::string &clampClass : classes) {
        const QString word = draw::clampWord(clampClass);
        const double width = 22 + metrics.horizontalAdvance(word) + 12;
        if (left + width > this->width())
            return;
        draw::paintClamp(painter, QRectF(left, kLegendHeight / 2 - 6, 16, 12), clampClass, theme());
        painter.setPen(theme().text);
        painter.drawText(QRectF(left + 22, 0, width, kLegendHeight), Qt::AlignVCenter | Qt::AlignLeft, word);
        left += width;
    }
}

// The reason of a clamp, where its span has room for the word.
void OverlayPane::paintClampNames(QPainter &painter) const {
    const draw::TimeScale scale = timeScale();
    const QFontMetricsF metrics(painter.font(), this);
    double drawnTo = 0;
    for (const draw::ClampMark &mark : data_->tables().clamps) {
        if (!scale.shows(mark.range))
            continue;
        const double left = std::max(scale.left, scale.x(mark.range.begin)) + 4;
        const double room = std::min(scale.right(), scale.x(mark.range.end)) - left - 4;
        QString text = draw::clampWord(mark.clampClass);
        if (!mark.reason.empty() &&
            metrics.horizontalAdvance(text + QStringLiteral(": ") + draw::safeText(mark.reason)) <= room)
            text += QStringLiteral(": ") + draw::safeText(mark.reason);
        const double width = metrics.horizontalAdvance(text);
        if (width > room || left < drawnTo)
            continue;
        const QRectF box(left - 2, height() - metrics.height() - 7, width + 4, metrics.height());
        painter.fillRect(box, theme().background);
        painter.setPen(draw::clampColour(mark.clampClass, theme()));
        painter.drawText(box, Qt::AlignCenter, text);
        drawnTo = left + width + 8;
    }
}

}  // namespace wattproof::widgets
