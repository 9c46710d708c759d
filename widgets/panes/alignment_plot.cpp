#include "widgets/panes/alignment_plot.h"

#include "report/draw/counter_painter.h"
#include "report/draw/ruler_painter.h"
#include "report/report.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

namespace wattproof::widgets {
namespace {

constexpr int kRuler = 24, kMargin = 8, kLegend = 20;

// The part of a curve that shows, with a neighbour on both sides, moved by `shift`.
QPolygonF lineOf(const std::vector<Sample> &points, Ns shift, const draw::TimeScale &scale,
                 const draw::ValueScale &values) {
    QPolygonF line;
    const auto first = std::partition_point(points.begin(), points.end(),
                                            [&](const Sample &s) { return s.ts + shift < scale.visible.begin; });
    for (auto it = first == points.begin() ? first : std::prev(first); it != points.end(); ++it) {
        line << QPointF(scale.x(it->ts + shift), values.y(it->value));
        if (it->ts + shift > scale.visible.end)
            break;
    }
    return line;
}

}  // namespace

AlignmentPlot::AlignmentPlot(const draw::Theme &theme, QWidget *parent) : QWidget(parent), theme_(&theme) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
    setMinimumSize(300, 140);
    setAccessibleName(tr("Load of the device and power of the log"));
    setAccessibleDescription(tr("Arrow keys move the power in time, with Shift in coarse steps."));
}

QRectF AlignmentPlot::plot() const {
    return QRectF(rect()).adjusted(kMargin, kRuler + kLegend, -kMargin, -kMargin);
}

draw::TimeScale AlignmentPlot::timeScale() const {
    return {visible_, plot().left(), std::max(1.0, plot().width())};
}

void AlignmentPlot::setFit(std::shared_ptr<const AlignmentFit> fit, Ns offset) {
    fit_ = std::move(fit);
    offset_ = offset;
    const std::vector<Sample> &shown = fit_->load.empty() ? fit_->power : fit_->load;
    if (!shown.empty())
        visible_ = {shown.front().ts, std::max(shown.back().ts, shown.front().ts + 1)};
    if (!fit_->power.empty()) {
        const auto [low, high] =
            std::minmax_element(fit_->power.begin(), fit_->power.end(),
                                [](const Sample &a, const Sample &b) { return a.value < b.value; });
        lowest_ = low->value;
        highest_ = std::max(high->value, lowest_ + 1);
    }
    update();
}

void AlignmentPlot::setOffset(Ns offset) {
    offset_ = offset;
    update();
}

Ns AlignmentPlot::fineStep() const {
    return fit_ ? std::max<Ns>(fit_->period / 10, 1) : 1;
}

void AlignmentPlot::move(Ns offset) {
    setOffset(offset);
    emit offsetMoved(offset);
}

void AlignmentPlot::paintLoad(QPainter &painter, const draw::TimeScale &scale) const {
    const draw::ValueScale values{0, 1, plot().top(), plot().bottom()};
    QPolygonF area = lineOf(fit_->load, 0, scale, values);
    if (area.isEmpty())
        return;
    area.prepend(QPointF(area.front().x(), plot().bottom()));
    area << QPointF(area.back().x(), plot().bottom());
    painter.setPen(Qt::NoPen);
    painter.setBrush(draw::blend(theme_->fillOf("gemm"), theme_->background, 0.55));
    painter.drawPolygon(area);
}

void AlignmentPlot::paintPower(QPainter &painter, const draw::TimeScale &scale) const {
    const draw::ValueScale values{lowest_, highest_, plot().top() + 2, plot().bottom()};
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme_->text, 1.5));
    painter.drawPolyline(lineOf(fit_->power, offset_, scale, values));
}

void AlignmentPlot::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_->background);
    const draw::TimeScale scale = timeScale();
    draw::paintRuler(painter, scale, QRectF(scale.left, 0, scale.width, kRuler), *theme_);
    draw::paintGrid(painter, scale, plot().top(), plot().bottom(), *theme_);
    if (fit_) {
        painter.save();
        painter.setClipRect(plot());
        paintLoad(painter, scale);
        paintPower(painter, scale);
        painter.restore();
        const QRectF legend(plot().left(), kRuler, plot().width(), kLegend);
        painter.fillRect(QRectF(legend.left(), kRuler + 4, 16, 12),
                         draw::blend(theme_->fillOf("gemm"), theme_->background, 0.55));
        painter.setPen(theme_->text);
        painter.drawText(legend.adjusted(22, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("busy share, as the sensor sees it"));
        painter.drawText(legend, Qt::AlignRight | Qt::AlignVCenter,
                         tr("— power, %1 to %2")
                             .arg(QString::fromStdString(report::quantity(lowest_, "W")),
                                  QString::fromStdString(report::quantity(highest_, "W"))));
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme_->accent, 0));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void AlignmentPlot::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || !fit_)
        return;
    dragX_ = event->position().x();
    dragOffset_ = offset_;
}

void AlignmentPlot::mouseMoveEvent(QMouseEvent *event) {
    if (dragX_)
        move(dragOffset_ + static_cast<Ns>((event->position().x() - *dragX_) * timeScale().nsPerPixel()));
}

void AlignmentPlot::mouseReleaseEvent(QMouseEvent *) {
    dragX_.reset();
}

void AlignmentPlot::keyPressEvent(QKeyEvent *event) {
    const Ns step = (event->modifiers() & Qt::ShiftModifier) ? coarseStep() : fineStep();
    if (event->key() == Qt::Key_Left)
        move(offset_ - step);
    else if (event->key() == Qt::Key_Right)
        move(offset_ + step);
    else
        QWidget::keyPressEvent(event);
}

void AlignmentPlot::wheelEvent(QWheelEvent *event) {
    const double factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    const Ns anchor = timeScale().time(event->position().x());
    const auto scaled = [&](Ns t) { return anchor + static_cast<Ns>(static_cast<double>(t - anchor) * factor); };
    const TimeRange wanted{scaled(visible_.begin), scaled(visible_.end)};
    if (wanted.length() > 1'000)
        visible_ = wanted;
    update();
    event->accept();
}

}  // namespace wattproof::widgets
