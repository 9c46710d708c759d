#include "widgets/timeline/timeline_render.h"

#include "report/draw/column_spans.h"
#include "report/draw/hatch.h"
#include "report/draw/lane_painter.h"
#include "report/draw/ruler_painter.h"
#include "report/report.h"
#include "widgets/search/hit_painter.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

constexpr double kIndent = 12;
constexpr double kArrow = 4;

class Renderer {
public:
    Renderer(QPainter &painter, const TimelineScene &scene) : painter_(painter), scene_(scene) {}

    void render() {
        const double width = scene_.scale.right();
        painter_.fillRect(QRectF(0, 0, width, scene_.height), scene_.theme.background);
        painter_.fillRect(QRectF(0, 0, scene_.scale.left, scene_.height), scene_.theme.panel);
        paintGroupGrounds();
        draw::paintGrid(painter_, scene_.scale, scene_.top, scene_.height, scene_.theme);
        forEachShown([this](const LaidTrack &laid, const TrackNode &node) { paintTrack(laid, node); });
        draw::paintClamps(painter_, scene_.tables.clamps, scene_.scale, scene_.top, scene_.height, scene_.theme);
        painter_.fillRect(QRectF(scene_.scale.left - scene_.pixel, 0, scene_.pixel, scene_.height),
                          scene_.theme.grid);
    }

private:
    template <class Fn>
    void forEachShown(Fn fn) {
        for (const LaidTrack &laid : scene_.layout.tracks)
            if (laid.bottom() + scene_.offset > scene_.top && laid.top + scene_.offset < scene_.height)
                fn(laid, scene_.tree.nodes[static_cast<std::size_t>(laid.node)]);
    }

    void paintGroupGrounds() {
        forEachShown([this](const LaidTrack &laid, const TrackNode &node) {
            const QRectF row(0, laid.top + scene_.offset, scene_.scale.right(), laid.height);
            if (node.isGroup())
                painter_.fillRect(row, scene_.theme.panel);
            if (node.kind == NodeKind::Source)
                painter_.fillRect(QRectF(row.left(), row.top(), row.width(), scene_.pixel), scene_.theme.grid);
        });
    }

    void paintTrack(const LaidTrack &laid, const TrackNode &node) {
        const double top = laid.top + scene_.offset;
        painter_.setClipRect(QRectF(0, scene_.top, scene_.scale.right(), scene_.height - scene_.top));
        paintName(laid, node, top);
        if (node.kind == NodeKind::Slices)
            paintSlices(laid, node, top);
        else if (node.kind == NodeKind::Counter)
            paintCounter(laid, node, top);
        painter_.setClipping(false);
    }

    // ▸ and ▾ drawn, not set as text: they are as sharp as the font is not.
    void paintTriangle(double x, double y, bool shut) {
        painter_.save();
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(scene_.theme.muted);
        const QPolygonF right({{x, y - kArrow}, {x + kArrow, y}, {x, y + kArrow}});
        const QPolygonF down({{x - kArrow / 2, y - kArrow / 2},
                              {x + kArrow * 1.5, y - kArrow / 2},
                              {x + kArrow / 2, y + kArrow / 2}});
        painter_.drawPolygon(shut ? right : down);
        painter_.restore();
    }

    void paintName(const LaidTrack &laid, const TrackNode &node, double top) {
        const double left = 8 + node.level * kIndent;
        const double row = std::min<double>(laid.height, scene_.theme.rowHeight);
        if (node.isGroup() || node.rowCount > 1)
            paintTriangle(left, top + row / 2, laid.collapsed);
        QFont font = painter_.font();
        font.setBold(node.kind == NodeKind::Source);
        painter_.save();
        painter_.setFont(font);
        const QFontMetricsF metrics(font, painter_.device());
        const double x = left + kIndent, width = scene_.gutter - x - 8,
                     baseline = top + (row + metrics.ascent() - metrics.descent()) / 2;
        const QString label = metrics.elidedText(draw::safeText(node.label), Qt::ElideMiddle, width);
        painter_.setPen(scene_.theme.text);
        painter_.drawText(QPointF(x, baseline), label);
        const double rest = width - metrics.horizontalAdvance(label) - 8;
        if (!node.note.empty() && rest > 24) {
            painter_.setPen(scene_.theme.muted);
            painter_.drawText(QPointF(x + width - rest, baseline),
                              metrics.elidedText(draw::safeText(node.note), Qt::ElideRight, rest));
        }
        painter_.restore();
    }

    void paintSlices(const LaidTrack &laid, const TrackNode &node, double top) {
        const auto metrics = laneMetrics(laid, node, top, scene_.theme.rowHeight, scene_.pixel);
        const LanePicture &picture =
            scene_.pictures.lanes(node.track, scene_.scale.visible, scene_.scale.width / scene_.pixel);
        draw::paintLanes(painter_, draw::laneBoxes(picture.items, scene_.scale, metrics), picture.items,
                         scene_.pictures.looks(), scene_.theme, scene_.pixel);
        if (scene_.hits)
            paintHits(painter_, *scene_.hits, node.track, picture.items, scene_.scale, metrics, scene_.theme);
    }

    void paintCounter(const LaidTrack &laid, const TrackNode &node, double top) {
        const auto found = std::find_if(scene_.tables.counters.begin(), scene_.tables.counters.end(),
                                        [&node](const CounterRow &row) { return row.id == node.counter; });
        if (found == scene_.tables.counters.end())
            return;
        const CounterPicture &picture =
            scene_.pictures.counter(found->id, scene_.scale.visible, scene_.scale.width / scene_.pixel);
        const auto [low, high] = draw::niceRange(found->minValue, found->maxValue);
        const draw::ValueScale values{low, high, top + 2, top + laid.height - 4};
        draw::paintGaps(painter_, draw::gapsIn(picture.items, scene_.scale), scene_.scale, values.top, values.bottom,
                        scene_.theme);
        const QColor colour = draw::channelColour(found->quantity, scene_.theme);
        if (draw::isDense(picture.items, scene_.scale))
            draw::paintColumns(painter_, picture.items, scene_.scale, values, colour, scene_.pixel);
        else
            draw::paintCurve(painter_,
                             draw::counterCurve(picture.items, scene_.scale, values, draw::shapeOf(*found)), colour);
        paintLargest(*found, values);
    }

    // The scale in words: what the top of the track stands for.
    void paintLargest(const CounterRow &counter, const draw::ValueScale &values) {
        if (values.bottom - values.top < scene_.theme.rowHeight)
            return;
        const QString text = QString::fromStdString(report::quantity(counter.maxValue, counter.unit));
        const QFontMetricsF metrics(painter_.font(), painter_.device());
        const QPointF at(scene_.gutter - metrics.horizontalAdvance(text) - 8, values.bottom);
        painter_.setPen(scene_.theme.muted);
        painter_.drawText(at, text);
    }

    QPainter &painter_;
    const TimelineScene &scene_;
};

}  // namespace

void renderTracks(QPainter &painter, const TimelineScene &scene) {
    Renderer(painter, scene).render();
}

}  // namespace wattproof::widgets
