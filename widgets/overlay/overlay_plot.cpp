#include "widgets/overlay/overlay_plot.h"

#include "report/draw/ruler_painter.h"
#include "widgets/overlay/overlay_painters.h"
#include "widgets/overlay/plot_channels.h"
#include "widgets/time_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <QTimer>
#include <qcustomplot.h>

namespace wattproof::widgets {
namespace {

constexpr int kMarginTop = 24, kMarginBottom = 6;  // the legend stands above the curves
constexpr int kAxisWidth = 62;                     // of each value axis: the gutter has room for three

constexpr int kSoonMs = 20;

// A painter of ours on a layer of the plot.
class Painted : public QCPLayerable {
public:
    using Paint = std::function<void(QPainter &)>;
    Painted(QCustomPlot *plot, const char *layer, Paint paint)
        : QCPLayerable(plot, QString::fromLatin1(layer)), paint_(std::move(paint)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter *painter) override { paint_(*painter); }

private:
    Paint paint_;
};

}  // namespace

struct OverlayPlot::Parts : PlotChannels {
    struct Axis {
        QCPAxis *axis = nullptr;
        AxisUnit unit;
        double low = 0, high = 1;
    };

    explicit Parts(QWidget *parent) : plot(new QCustomPlot(parent)), axisRect(plot->axisRect()) {
        new Painted(plot, "grid", [this](QPainter &painter) { paintGround(painter); });
        new Painted(plot, "axes", [this](QPainter &painter) { paintOver(painter); });
    }

    QCustomPlot *plot;
    QCPAxisRect *axisRect;  // the plot looks for it in its layout at each call
    draw::Theme theme = draw::lightTheme();
    std::vector<StatedLimit> stated;
    LimitLines limits;
    std::vector<draw::ClampMark> clamps;
    std::vector<ThrottleSpan> throttle;
    std::vector<std::string> throttleRows;
    std::vector<QCPGraph *> graphs;
    std::map<ChannelAxis, Axis> axes;
    std::vector<TimeRange> missingHere;  // no shown channel has a reading
    TimeRange visible{0, 1};
    draw::TimeWords words;
    std::vector<bool> pointsAreOld;
    bool stale = false;
    QTimer later;
    Extra extra;

    [[nodiscard]] QRectF rect() const { return axisRect->rect(); }
    [[nodiscard]] draw::TimeScale scale() const { return {visible, rect().left(), rect().width()}; }
    [[nodiscard]] draw::TimeScale scaleOf(const Curve &curve) const { return moved(scale(), curve.shift); }
    // In the unit of the store, as curves are kept.
    [[nodiscard]] draw::ValueScale values(const Axis &axis) const {
        return {axis.low * axis.unit.divisor, axis.high * axis.unit.divisor, rect().top(), rect().bottom()};
    }
    [[nodiscard]] draw::ValueScale valuesOf(std::size_t i) const { return values(axes.at(channels[i].axis)); }

    void clear() {
        plot->clearGraphs();
        graphs.clear();
        for (auto &[which, axis] : axes)
            axisRect->removeAxis(axis.axis);
        axes.clear();
        curves.clear();
        missingHere.clear();
        throttle.clear();
        throttleRows.clear();
    }

    void scaleAxes() {
        for (auto &[which, axis] : axes) {
            auto [low, high] = rangeOf(which, limits);
            axis.unit = axisUnit(which, high);
            std::tie(low, high) = draw::niceRange(low, high);
            axis.low = low / axis.unit.divisor;
            axis.high = high / axis.unit.divisor;
            axis.axis->setRange(axis.low, axis.high);
            axis.axis->setLabel(QString::fromStdString(axis.unit.text));
        }
    }

    void makeAxes() {
        for (const OverlayChannel &channel : channels) {
            if (axes.contains(channel.axis))
                continue;
            Axis &made = axes[channel.axis];
            made.axis = axisRect->addAxis(QCPAxis::atLeft);
            made.axis->grid()->setVisible(false);
            made.axis->setLayer(QStringLiteral("axes"));
            made.axis->setTickLength(0, 4);
            made.axis->ticker()->setTickCount(4);
            made.axis->setOffset(static_cast<int>(axes.size() - 1) * kAxisWidth);
        }
    }

    void makeGraphs() {
        for (const OverlayChannel &channel : channels) {
            QCPGraph *graph = plot->addGraph(plot->xAxis, axes.at(channel.axis).axis);
            graph->setAdaptiveSampling(true);
            graph->setLineStyle(channel.shape == draw::CounterShape::Line ? QCPGraph::lsLine
                                                                          : QCPGraph::lsStepLeft);
            graphs.push_back(graph);
        }
    }

    void applyTheme() {
        plot->setBackground(theme.background);
        for (auto &[which, axis] : axes) {
            const QColor colour = draw::channelColour(quantityOf(which), theme);
            axis.axis->setBasePen(QPen(theme.grid, 0));
            axis.axis->setTickPen(QPen(colour, 0));
            axis.axis->setSubTickPen(Qt::NoPen);
            axis.axis->setTickLabelColor(colour);
            axis.axis->setLabelColor(colour);
            axis.axis->setTickLabelFont(plot->font());
            axis.axis->setLabelFont(plot->font());
        }
        for (std::size_t i = 0; i < graphs.size(); ++i)
            graphs[i]->setPen(QPen(channels[i].colour, 0, channels[i].style));
    }

    // What is stacked has no line; it gets its points when it has one again.
    void setPoints(std::size_t i) {
        pointsAreOld[i] = isInStack(i) || !curves[i].shown;
        if (pointsAreOld[i])
            return;
        const CurvePoints points = pointsOf(curves[i], axes.at(channels[i].axis).unit.divisor);
        QVector<QCPGraphData> data;
        data.reserve(static_cast<int>(points.time.size()));
        for (std::size_t at = 0; at < points.time.size(); ++at)
            data.append({points.time[at], points.value[at]});
        graphs[i]->data()->set(data, true);
    }

    // All that follows from which channels are shown, how, and with what data.
    void settle() {
        if (!stale)
            return;
        stale = false;
        const std::map<ChannelAxis, Axis> before = axes;
        limits = limitLines(stated, stackedWholes());
        scaleAxes();
        for (std::size_t i = 0; i < graphs.size(); ++i) {
            const double divisor = axes.at(channels[i].axis).unit.divisor;
            if (pointsAreOld[i] || before.at(channels[i].axis).unit.divisor != divisor)
                setPoints(i);
        }
        missingHere = missing();
    }

    void paintGround(QPainter &painter) const {
        const QRectF area = rect();
        painter.fillRect(QRectF(0, 0, area.left(), plot->height()), theme.panel);
        painter.save();
        painter.setClipRect(area);
        draw::paintGrid(painter, scale(), area.top(), area.bottom() + 1, theme, words);
        paintGapSpans(painter, missingHere, scale(), area.top(), area.bottom() + 1, theme);
        draw::ColumnImage columns(area);
        std::vector<DrawnLayer> stack;
        draw::ValueScale watts;
        if (stacking()) {
            stack = layers(scale(), theme);
            watts = values(axes.at(ChannelAxis::Power));
        }
        fillStack(columns, stack, scale(), watts, theme);
        paintColumns(painter, columns);
        paintLayerNames(painter, stack, scale(), watts, theme);
        painter.restore();
    }

    // Lines over all envelopes, and clamps over both.
    void paintColumns(QPainter &painter, draw::ColumnImage &columns) const {
        std::vector<std::vector<draw::ColumnSpan>> spans(channels.size());
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (!isLine(i))
                continue;
            spans[i] = columnSpans(curves[i], scaleOf(curves[i]));
            fillEnvelope(columns, spans[i], valuesOf(i), channels[i].colour);
        }
        for (std::size_t i = 0; i < channels.size(); ++i)
            if (isLine(i) && draw::isDense(curves[i].items, scaleOf(curves[i])))
                fillLine(columns, spans[i], valuesOf(i), channels[i].colour, channels[i].style);
        draw::fillClamps(columns, clamps, scale(), rect().top(), rect().bottom(), theme);
        columns.paint(painter);
    }

    // Where points stand closer than pixels paintColumns() draws the line.
    void showGraphs() const {
        for (std::size_t i = 0; i < graphs.size(); ++i)
            graphs[i]->setVisible(isLine(i) && !draw::isDense(curves[i].items, scaleOf(curves[i])));
    }

    void paintOver(QPainter &painter) const {
        const QRectF area = rect();
        painter.save();
        painter.setClipRect(area);
        painter.setFont(plot->font());
        for (std::size_t i = 0; i < channels.size(); ++i)
            if (isLine(i))
                paintUntrusted(painter, curves[i], missingHere, scaleOf(curves[i]), valuesOf(i),
                               channels[i].colour, theme);
        paintLimitLines(painter);
        if (const auto power = axes.find(ChannelAxis::Power); extra && power != axes.end())
            extra(painter, scale(), values(power->second));
        painter.restore();
        paintThrottleRows(painter, throttle, throttleRows, scale(), area.bottom() + 3, theme);
    }

    void paintLimitLines(QPainter &painter) const {
        std::vector<PlacedLimit> placed;
        for (const LimitLine &limit : limits.lines)
            if (const auto axis = axes.find(limit.axis); axis != axes.end())
                placed.push_back({std::round(values(axis->second).y(limit.value)), limitColour(limit.axis, theme),
                                  limit.label, limit.axis == ChannelAxis::Power});
        paintLimits(painter, placed, rect(), theme);
        if (limits.missing.isEmpty())
            return;
        painter.setPen(theme.muted);
        painter.drawText(rect().adjusted(8, 2, -8, 0), Qt::AlignRight | Qt::AlignTop, limits.missing);
    }

    void setMargins() const {
        const int rows = static_cast<int>(throttleRows.size()) * kThrottleRow;
        axisRect->setMargins(QMargins(kGutterWidth, kMarginTop, 0, kMarginBottom + rows));
    }
};

OverlayPlot::OverlayPlot(QWidget *parent) : QWidget(parent), parts_(std::make_unique<Parts>(this)) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    QCustomPlot *plot = parts_->plot;
    plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setPlottingHint(QCP::phImmediateRefresh, false);  // the window paints all its panes at once
    parts_->later.setSingleShot(true);
    parts_->later.setInterval(kSoonMs);
    connect(&parts_->later, &QTimer::timeout, this, &OverlayPlot::replot);
    plot->setNotAntialiasedElements(QCP::aeAll);
    plot->axisRect()->setAutoMargins(QCP::msNone);
    parts_->setMargins();
    plot->xAxis->setVisible(false);
    plot->axisRect()->removeAxis(plot->yAxis);
}

OverlayPlot::~OverlayPlot() = default;

void OverlayPlot::setTheme(const draw::Theme &theme) {
    parts_->theme = theme;
}

void OverlayPlot::setChannels(const std::vector<OverlayChannel> &channels,
                              const std::vector<StatedLimit> &limits) {
    parts_->clear();
    parts_->channels = channels;
    parts_->stated = limits;
    parts_->curves.resize(channels.size());
    parts_->pointsAreOld.assign(channels.size(), true);
    parts_->makeAxes();
    parts_->makeGraphs();
    parts_->applyTheme();
    parts_->setMargins();
    parts_->stale = true;
}

void OverlayPlot::setClamps(const std::vector<draw::ClampMark> &clamps) {
    parts_->clamps = clamps;
}

void OverlayPlot::setThrottle(const std::vector<ThrottleSpan> &spans) {
    parts_->throttle = spans;
    parts_->throttleRows = rowsWith(parts_->throttleRows, spans);
    parts_->setMargins();
}

void OverlayPlot::setCurve(std::size_t channel, std::vector<store::CounterBucket> buckets, Ns shift) {
    Curve &curve = parts_->curves[channel];
    curve.items = std::move(buckets);
    curve.shift = shift;
    curve.gaps = gapsOf(curve.items);
    for (const store::CounterBucket &bucket : curve.items)
        curve.highest = std::max(curve.highest, bucket.max);
    parts_->pointsAreOld[channel] = true;
    parts_->stale = true;
}

void OverlayPlot::setDoubts(std::size_t channel, std::vector<DoubtSpan> doubts) {
    parts_->curves[channel].doubts = std::move(doubts);
    parts_->pointsAreOld[channel] = true;
    parts_->stale = true;
}

void OverlayPlot::setShown(std::size_t channel, bool shown) {
    parts_->curves[channel].shown = shown;
    parts_->stale = true;
}

void OverlayPlot::setStacked(bool stacked) {
    parts_->stacked = stacked;
    parts_->stale = true;
}

void OverlayPlot::setTimeWords(const draw::TimeWords &words) {
    parts_->words = words;
}

void OverlayPlot::setTimeRange(TimeRange visible) {
    parts_->visible = visible;
    parts_->plot->xAxis->setRange(static_cast<double>(visible.begin), static_cast<double>(visible.end));
}

void OverlayPlot::setExtra(Extra extra) {
    parts_->extra = std::move(extra);
}

void OverlayPlot::replot() {
    parts_->later.stop();
    parts_->settle();
    parts_->showGraphs();
    parts_->plot->replot(QCustomPlot::rpQueuedReplot);
}

void OverlayPlot::replotSoon() {
    if (!parts_->later.isActive())
        parts_->later.start();
}

QRectF OverlayPlot::plotRect() const {
    const QMargins margins = parts_->plot->axisRect()->margins();
    return QRectF(rect()).marginsRemoved(margins);
}

QRectF OverlayPlot::throttleRow(const std::string &throttleClass) const {
    const auto row = std::find(parts_->throttleRows.begin(), parts_->throttleRows.end(), throttleClass);
    if (row == parts_->throttleRows.end())
        return {};
    const QRectF area = plotRect();
    return {area.left(),
            area.bottom() + 2 + static_cast<double>(row - parts_->throttleRows.begin()) * kThrottleRow,
            area.width(), kThrottleRow};
}

std::vector<double> OverlayPlot::values(std::size_t channel) const {
    std::vector<double> values;
    for (const QCPGraphData &point : *parts_->graphs[channel]->data())
        values.push_back(point.value);
    return values;
}

bool OverlayPlot::isStacking() const {
    return parts_->stacking();
}

std::vector<DrawnLayer> OverlayPlot::layers() const {
    return parts_->layers(parts_->scale(), parts_->theme);
}

const LimitLines &OverlayPlot::limits() const {
    return parts_->limits;
}

double OverlayPlot::yOf(ChannelAxis which, double value) const {
    const Parts::Axis &axis = parts_->axes.at(which);
    return parts_->values(axis).y(value);
}

void OverlayPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    parts_->plot->setGeometry(rect());
}

}  // namespace wattproof::widgets
