// The glass over the overlay's curves: legend, names of clamps, selection and cursor.
#include "report/draw/labels.h"
#include "widgets/overlay/overlay_pane.h"
#include "widgets/overlay/overlay_plot.h"

#include <algorithm>
#include <set>

#include <QPainter>
#include <QToolButton>

namespace wattproof::widgets {
namespace {

constexpr double kLegendHeight = 22, kSwatch = 22, kEntryGap = 12;
constexpr double kLeastWord = 40;  // pixels: no word is narrower, and measuring hundreds of them takes long

}  // namespace

void OverlayPane::paintGlass(QPainter &painter) {
    painter.fillRect(QRectF(kGutterWidth - devicePixel(), 0, devicePixel(), height()), theme().grid);
    if (!channels_.empty()) {
        paintClampNames(painter);
        paintLegend(painter);
    }
    paintAreaAndCursor(painter, 0, height());
}

// One line over the curves: stroke, name and the reading at the cursor of each channel. What has no room is
// counted; the list of channels has them all.
void OverlayPane::paintLegend(QPainter &painter) {
    legend_.assign(channels_.size(), QRectF());
    const QFontMetricsF metrics(painter.font(), this);
    const double reserved = metrics.horizontalAdvance(tr("+ %1 more").arg(88)) + kEntryGap;
    const double right = warnings_->isHidden() ? width() : warnings_->geometry().left() - 4;
    double x = kGutterWidth + 8;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        // Room for the widest reading, so that entries stand still while the cursor moves.
        const double width =
            kSwatch + kEntryGap + metrics.horizontalAdvance(channels_[i].label + QStringLiteral(" 8.88 GHz"));
        const bool last = i + 1 == channels_.size();
        if (x + width + (last ? 0 : reserved) > right) {
            painter.setPen(theme().muted);
            painter.drawText(QRectF(x, 0, reserved, kLegendHeight), Qt::AlignVCenter | Qt::AlignLeft,
                             tr("+ %1 more").arg(channels_.size() - i));
            return;
        }
        legend_[i] = QRectF(x, 0, width, kLegendHeight);
        x = paintEntry(painter, i, x);
    }
    paintClampLegend(painter, x);
}

double OverlayPane::paintEntry(QPainter &painter, std::size_t channel, double left) {
    const QRectF &entry = legend_[channel];
    const bool shown = shown_[channel];
    painter.setPen(QPen(shown ? channels_[channel].colour : theme().grid, 2, channels_[channel].style));
    painter.drawLine(QLineF(left, kLegendHeight / 2, left + 16, kLegendHeight / 2));
    painter.setPen(shown ? theme().text : theme().muted);
    const QString value = shown ? reading(channel) : tr("hidden");
    painter.drawText(entry.adjusted(kSwatch, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     channels_[channel].label + QLatin1Char(' ') + value);
    return left + entry.width();
}

// Spans too narrow for a word of their own still have one here: hatch and colour never stand alone.
void OverlayPane::paintClampLegend(QPainter &painter, double left) const {
    std::set<std::string> classes;
    for (const draw::ClampMark &mark : clamps_)
        if (timeScale().shows(mark.range))
            classes.insert(mark.clampClass);
    const QFontMetricsF metrics(painter.font(), this);
    const double right = warnings_->isHidden() ? width() : warnings_->geometry().left() - 4;
    for (const std::string &clampClass : classes) {
        const QString word = draw::clampWord(clampClass);
        const double width = kSwatch + metrics.horizontalAdvance(word) + kEntryGap;
        if (left + width > right)
            return;
        draw::paintClamp(painter, QRectF(left, kLegendHeight / 2 - 6, 16, 12), clampClass, theme());
        painter.setPen(theme().text);
        painter.drawText(QRectF(left + kSwatch, 0, width, kLegendHeight), Qt::AlignVCenter | Qt::AlignLeft, word);
        left += width;
    }
}

// The reason of a clamp, where its span has room for the word.
void OverlayPane::paintClampNames(QPainter &painter) const {
    const draw::TimeScale scale = timeScale();
    const QFontMetricsF metrics(painter.font(), this);
    double drawnTo = 0;
    for (const draw::ClampMark &mark : clamps_) {
        if (!scale.shows(mark.range))
            continue;
        const double left = std::max(scale.left, scale.x(mark.range.begin)) + 4;
        const double room = std::min(scale.right(), scale.x(mark.range.end)) - left - 4;
        if (room < kLeastWord || left < drawnTo)
            continue;
        QString text = draw::clampWord(mark.clampClass);
        if (!mark.reason.empty() &&
            metrics.horizontalAdvance(text + QStringLiteral(": ") + draw::safeText(mark.reason)) <= room)
            text += QStringLiteral(": ") + draw::safeText(mark.reason);
        const double width = metrics.horizontalAdvance(text);
        if (width > room)
            continue;
        const QRectF box(left - 2, plot_->plotRect().bottom() - metrics.height() - 1, width + 4, metrics.height());
        painter.fillRect(box, theme().background);
        painter.setPen(draw::clampColour(mark.clampClass, theme()));
        painter.drawText(box, Qt::AlignCenter, text);
        drawnTo = left + width + 8;
    }
}

}  // namespace wattproof::widgets
