#include "widgets/overlay/overlay_plot.h"

#include "report/draw/ruler_painter.h"
#include "report/report.h"
#include "widgets/time_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <qcustomplot.h>

namespace wattproof::widgets {
namespace {

constexpr int kMarginTop = 24, kMarginBottom = 6;  // the legend stands above the curves
constexpr int kAxisWidth = 62;                     // of each value axis: the gutter has room for three
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Grid of the shared time ticks, clamps and gaps: what lies below the curves.
class Ground : public QCPLayerable {
public:
    explicit Ground(QCustomPlot *plot) : QCPLayerable(plot, QStringLiteral("grid")) {}

    draw::Theme theme = draw::lightTheme();
    std::vector<draw::ClampMark> clamps;
    std::map<std::size_t, std::vector<TimeRange>> gaps;
    TimeRange visible{0, 1};

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }

    void draw(QCPPainter *painter) override {
        const QRectF rect = mParentPlot->axisRect()->rect();
        painter->fillRect(QRectF(0, 0, rect.left(), mParentPlot->height()), theme.panel);
        const draw::TimeScale scale{visible, rect.left(), rect.width()};
        painter->setClipRect(rect);
        wattproof::draw::paintGrid(*painter, scale, rect.top(), rect.bottom() + 1, theme);
        if (const auto power = gaps.find(0); power != gaps.end())
            for (const TimeRange &gap : power->second)
                paintGap(painter, scale, rect, gap);
        wattproof::draw::paintClamps(*painter, clamps, scale, rect.top(), rect.bottom() + 1, theme);
    }

private:
    void paintGap(QCPPainter *painter, const draw::TimeScale &scale, const QRectF &rect, TimeRange gap) const {
        const double left = std::max(rect.left(), scale.x(gap.begin)),
                     right = std::min(rect.right(), scale.x(gap.end));
        if (right > left)
            wattproof::draw::paintMissing(
                *painter, QRectF(QPointF(left, rect.top()), QPointF(right, rect.bottom() + 1)), theme);
    }
};

// Points of one curve; a gap is one NaN between its neighbours, which QCustomPlot leaves open.
struct Points {
    QVector<double> x, y;
    std::vector<TimeRange> gaps;

    void add(Ns time, double value) {
        x << static_cast<double>(time);
        y << value;
    }
};

Points pointsOf(const std::vector<store::CounterBucket> &buckets, double divisor, Ns shift) {
    Points points;
    const store::CounterBucket *before = nullptr;
    for (const store::CounterBucket &bucket : buckets) {
        if (bucket.gapBefore && before) {
            points.gaps.push_back({before->end + shift, bucket.ts + shift});
            points.add(before->end + 1 + shift, kNaN);  // at once: steps would hold their value up to it
        }
        const Ns third = (bucket.end - bucket.ts) / 3;
        points.add(bucket.ts + shift, bucket.first / divisor);
        if (bucket.count > 1 && bucket.max > bucket.min) {
            points.add(bucket.ts + third + shift, bucket.min / divisor);
            points.add(bucket.ts + 2 * third + shift, bucket.max / divisor);
        }
        if (bucket.count > 1)
            points.add(bucket.end + shift, bucket.last / divisor);
        before = &bucket;
    }
    return points;
}

}  // namespace

struct OverlayPlot::Parts {
    struct Axis {
        QCPAxis *axis = nullptr;
        AxisUnit unit;
        double low = 0, high = 1;
    };

    explicit Parts(QWidget *parent) : plot(new QCustomPlot(parent)), ground(new Ground(plot)) {}

    QCustomPlot *plot;
    Ground *ground;
    draw::Theme theme = draw::lightTheme();
    std::vector<OverlayChannel> channels;
    std::vector<LimitLine> limits;
    std::vector<QCPGraph *> graphs;
    std::map<ChannelAxis, Axis> axes;

    void clear() {
        plot->clearGraphs();
        plot->clearItems();
        graphs.clear();
        for (auto &[which, axis] : axes)
            plot->axisRect()->removeAxis(axis.axis);
        axes.clear();
        ground->gaps.clear();
    }

    void makeAxes() {
        std::map<ChannelAxis, std::pair<double, double>> ranges;
        for (const OverlayChannel &channel : channels) {
            const auto [it, first] =
                ranges.try_emplace(channel.axis, channel.counter.minValue, channel.counter.maxValue);
            it->second.first = std::min(it->second.first, channel.counter.minValue);
            it->second.second = std::max(it->second.second, channel.counter.maxValue);
        }
        for (const LimitLine &limit : limits)
            if (const auto power = ranges.find(ChannelAxis::Power); power != ranges.end())
                power->second.second = std::max(power->second.second, limit.watts);
        for (const auto &[which, range] : ranges)
            makeAxis(which, range.first, range.second);
    }

    void makeAxis(ChannelAxis which, double low, double high) {
        Axis &made = axes[which];
        made.unit = axisUnit(which, high);
        std::tie(low, high) = draw::niceRange(low, high);
        made.low = low / made.unit.divisor;
        made.high = high / made.unit.divisor;
        made.axis = plot->axisRect()->addAxis(QCPAxis::atLeft);
        made.axis->setRange(made.low, made.high);
        made.axis->setLabel(QString::fromStdString(made.unit.text));
        made.axis->grid()->setVisible(false);
        made.axis->setLayer(QStringLiteral("axes"));
        made.axis->setTickLength(0, 4);
        made.axis->ticker()->setTickCount(4);
        made.axis->setOffset(static_cast<int>(axes.size() - 1) * kAxisWidth);
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

    void makeLimits() {
        const auto power = axes.find(ChannelAxis::Power);
        if (power == axes.end())
            return;
        for (const LimitLine &limit : limits) {
            auto *line = new QCPItemStraightLine(plot);
            const double y = limit.watts / power->second.unit.divisor;
            for (QCPItemPosition *position : {line->point1, line->point2}) {
                position->setAxes(plot->xAxis, power->second.axis);
                position->setTypeX(QCPItemPosition::ptAxisRectRatio);
                position->setTypeY(QCPItemPosition::ptPlotCoords);
            }
            line->point1->setCoords(0, y);
            line->point2->setCoords(1, y);
            line->setPen(QPen(theme.warn, 0, Qt::DashLine));
            makeLimitLabel(limit, power->second.axis, y);
        }
    }

    void makeLimitLabel(const LimitLine &limit, QCPAxis *axis, double y) {
        auto *label = new QCPItemText(plot);
        label->position->setAxes(plot->xAxis, axis);
        label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        label->position->setTypeY(QCPItemPosition::ptPlotCoords);
        label->position->setCoords(0.997, y);
        label->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
        label->setText(limit.label);
        label->setColor(theme.warn);
        label->setFont(plot->font());
    }

    void applyTheme() {
        plot->setBackground(theme.background);
        ground->theme = theme;
        for (auto &[which, axis] : axes) {
            const QColor colour = draw::channelColour(which == ChannelAxis::Power         ? "power"
                                                      : which == ChannelAxis::Temperature ? "temperature"
                                                                                          : "clock",
                                                      theme);
            axis.axis->setBasePen(QPen(theme.grid, 0));
            axis.axis->setTickPen(QPen(colour, 0));
            axis.axis->setSubTickPen(Qt::NoPen);
            axis.axis->setTickLabelColor(colour);
            axis.axis->setLabelColor(colour);
            axis.axis->setTickLabelFont(plot->font());
            axis.axis->setLabelFont(plot->font());
        }
        for (std::size_t i = 0; i < graphs.size(); ++i)
            graphs[i]->setPen(
                QPen(draw::channelColour(channels[i].counter.quantity, theme), 0, channels[i].style));
    }
};

OverlayPlot::OverlayPlot(QWidget *parent) : QWidget(parent), parts_(std::make_unique<Parts>(this)) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    QCustomPlot *plot = parts_->plot;
    plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setNotAntialiasedElements(QCP::aeAll);
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->axisRect()->setMargins(QMargins(kGutterWidth, kMarginTop, 0, kMarginBottom));
    plot->xAxis->setVisible(false);
    plot->axisRect()->removeAxis(plot->yAxis);
}

OverlayPlot::~OverlayPlot() = default;

void OverlayPlot::setTheme(const draw::Theme &theme) {
    parts_->theme = theme;
    parts_->applyTheme();
    setChannels(parts_->channels, parts_->limits);
}

void OverlayPlot::setChannels(const std::vector<OverlayChannel> &channels, const std::vector<LimitLine> &limits) {
    const std::vector<OverlayChannel> kept(channels);  // may be our own
    const std::vector<LimitLine> keptLimits(limits);
    parts_->clear();
    parts_->channels = kept;
    parts_->limits = keptLimits;
    parts_->makeAxes();
    parts_->makeGraphs();
    parts_->makeLimits();
    parts_->applyTheme();
}

void OverlayPlot::setClamps(const std::vector<draw::ClampMark> &clamps) {
    parts_->ground->clamps = clamps;
}

void OverlayPlot::setCurve(std::size_t channel, const std::vector<store::CounterBucket> &buckets, Ns shift) {
    const double divisor = parts_->axes.at(parts_->channels[channel].axis).unit.divisor;
    Points points = pointsOf(buckets, divisor, shift);
    parts_->graphs[channel]->setData(points.x, points.y, true);
    parts_->ground->gaps[channel] = std::move(points.gaps);
}

void OverlayPlot::setShown(std::size_t channel, bool shown) {
    parts_->graphs[channel]->setVisible(shown);
}

void OverlayPlot::setTimeRange(TimeRange visible) {
    parts_->ground->visible = visible;
    parts_->plot->xAxis->setRange(static_cast<double>(visible.begin), static_cast<double>(visible.end));
}

void OverlayPlot::replot() {
    parts_->plot->replot(QCustomPlot::rpQueuedReplot);
}

QRectF OverlayPlot::plotRect() const {
    return QRectF(kGutterWidth, kMarginTop, width() - kGutterWidth, height() - kMarginTop - kMarginBottom);
}

std::vector<double> OverlayPlot::values(std::size_t channel) const {
    std::vector<double> values;
    for (const QCPGraphData &point : *parts_->graphs[channel]->data())
        values.push_back(point.value);
    return values;
}

void OverlayPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    parts_->plot->setGeometry(rect());
}

}  // namespace wattproof::widgets
