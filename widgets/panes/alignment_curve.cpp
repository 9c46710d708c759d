#include "widgets/panes/alignment_curve.h"

#include "widgets/panes/words.h"
#include "widgets/time_view.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>

namespace wattproof::widgets {

AlignmentCurve::AlignmentCurve(const draw::Theme &theme, QWidget *parent) : QWidget(parent), theme_(&theme) {
    setAccessibleName(tr("Correlation over the searched offsets"));
    setToolTip(tr("Correlation of load and power over the offsets that were searched; click to try one"));
}

void AlignmentCurve::setProposal(const analysis::AlignmentProposal &proposal) {
    proposal_ = proposal;
    update();
}

void AlignmentCurve::clear() {
    proposal_.reset();
    update();
}

void AlignmentCurve::setOffset(Ns offset) {
    offset_ = offset;
    update();
}

void AlignmentCurve::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    update();
}

QRectF AlignmentCurve::plot() const {
    return QRectF(rect()).adjusted(4, 4, -4, -18);
}

double AlignmentCurve::xOf(Ns offset) const {
    return plot().left() + timeToX(offset, proposal_->searched, plot().width());
}

double AlignmentCurve::yOf(double correlation) const {
    return plot().bottom() - std::clamp(correlation, 0.0, 1.0) * plot().height();
}

void AlignmentCurve::paintCurve(QPainter &painter) const {
    QPolygonF line;
    for (const analysis::AlignmentScore &score : proposal_->curve)
        line << QPointF(xOf(score.offset), yOf(score.correlation));
    painter.setPen(QPen(theme_->text, 0));
    painter.drawPolyline(line);
}

void AlignmentCurve::paintPeak(QPainter &painter, const analysis::AlignmentScore &peak,
                               const QString &name) const {
    const QPointF at(xOf(peak.offset), yOf(peak.correlation));
    painter.setPen(QPen(theme_->text, 0));
    painter.setBrush(theme_->background);
    painter.drawEllipse(at, 3, 3);
    const QString text = QStringLiteral("%1 %2").arg(name).arg(peak.correlation, 0, 'f', 2);
    const bool left = at.x() > plot().center().x();
    const QRectF box(left ? at.x() - 126 : at.x() + 6, at.y() - 7, 120, 14);
    painter.drawText(box, (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text);
}

void AlignmentCurve::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_->background);
    painter.setPen(QPen(theme_->grid, 0));
    painter.drawRect(plot());
    if (!proposal_ || proposal_->curve.empty() || proposal_->searched.empty()) {
        painter.setPen(theme_->muted);
        painter.drawText(rect().adjusted(8, 4, -8, -4), Qt::AlignCenter | Qt::TextWordWrap,
                         proposal_ ? tr("No correlation to draw: the search was refused")
                                   : tr("Auto draws the correlation over all offsets here"));
        return;
    }
    paintCurve(painter);
    if (proposal_->secondPeak)
        paintPeak(painter, *proposal_->secondPeak, tr("second"));
    if (proposal_->peak)
        paintPeak(painter, *proposal_->peak, tr("peak"));
    painter.setPen(QPen(theme_->accent, 0, Qt::DashLine));
    painter.drawLine(QPointF(xOf(offset_), plot().top()), QPointF(xOf(offset_), plot().bottom()));
    painter.setPen(theme_->muted);
    const QRectF labels = QRectF(rect()).adjusted(4, height() - 17, -4, -1);
    painter.drawText(labels, Qt::AlignLeft, durationText(proposal_->searched.begin));
    painter.drawText(labels, Qt::AlignRight, durationText(proposal_->searched.end));
}

void AlignmentCurve::mousePressEvent(QMouseEvent *event) {
    if (proposal_ && !proposal_->searched.empty())
        emit offsetClicked(proposal_->searched.begin + xToTime(event->position().x() - plot().left(),
                                                               {0, proposal_->searched.length()}, plot().width()));
}

}  // namespace wattproof::widgets
