#include "widgets/timeline/timeline_render.h"

#include "report/draw/column_spans.h"
#include "report/draw/hatch.h"
#include "report/draw/lane_painter.h"
#include "report/draw/ruler_painter.h"
#include "report/report.h"
#include "widgets/search/hit_painter.h"
#include "widgets/timeline/group_summary.h"

#include <algorithm>

#include <QCoreApplication>

namespace wattproof::widgets {
namespace {

constexpr double kIndent = 12;
constexpr double kArrow = 4;
constexpr double kNoteMark = 9;
constexpr std::size_t kMostSummaryTracks = 200;  // read for collapsed groups in one picture

class Renderer {
public:
    Renderer(QPainter &painter, const TimelineScene &scene) : painter_(painter), scene_(scene) {}

    void render() {
        const double width = scene_.scale.right();
        painter_.fillRect(QRectF(0, 0, width, scene_.height), scene_.theme.background);
        painter_.fillRect(QRectF(0, 0, scene_.scale.left, scene_.height), scene_.theme.panel);
        const double split = scene_.top + scene_.layout.pinnedHeight;
        const Band bands[] = {{scene_.layout.pinned, scene_.top, scene_.top, split},
                              {scene_.layout.tracks, scene_.offset, split, scene_.height}};
        for (const Band &band : bands)
            paintGroupGrounds(band);
        draw::paintGrid(painter_, scene_.scale, scene_.top, scene_.height, scene_.theme, scene_.words);
        for (const Band &band : bands)
            forEachShown(band, [&](const LaidTrack &laid, const TrackNode &node) { paintTrack(band, laid, node); });
        draw::paintClamps(painter_, scene_.tables.clamps, scene_.scale, scene_.top, scene_.height, scene_.theme);
        painter_.fillRect(QRectF(scene_.scale.left - scene_.pixel, 0, scene_.pixel, scene_.height),
                          scene_.theme.grid);
        if (!scene_.layout.pinned.empty())
            painter_.fillRect(QRectF(0, split - scene_.pixel, width, scene_.pixel), scene_.theme.muted);
        paintHiddenCount();
    }

private:
    // Tracks that stand one below the other and are cut off above and below.
    struct Band {
        const std::vector<LaidTrack> &tracks;
        double offset, top, bottom;
    };

    template <class Fn>
    void forEachShown(const Band &band, Fn fn) {
        auto laid = std::partition_point(band.tracks.begin(), band.tracks.end(), [&band](const LaidTrack &t) {
            return t.bottom() + band.offset <= band.top;
        });
        for (; laid != band.tracks.end() && laid->top + band.offset < band.bottom; ++laid)
            fn(*laid, scene_.tree.nodes[static_cast<std::size_t>(laid->node)]);
    }

    void clipTo(const Band &band) {
        painter_.setClipRect(QRectF(0, band.top, scene_.scale.right(), band.bottom - band.top));
    }

    void paintGroupGrounds(const Band &band) {
        if (band.tracks.empty())
            return;
        clipTo(band);
        forEachShown(band, [&](const LaidTrack &laid, const TrackNode &node) {
            const QRectF row(0, laid.top + band.offset, scene_.scale.right(), laid.height);
            if (node.isGroup())
                painter_.fillRect(row, scene_.theme.panel);
            if (node.kind == NodeKind::Source)
                painter_.fillRect(QRectF(row.left(), row.top(), row.width(), scene_.pixel), scene_.theme.grid);
        });
        painter_.setClipping(false);
    }

    void paintTrack(const Band &band, const LaidTrack &laid, const TrackNode &node) {
        const double top = laid.top + band.offset;
        clipTo(band);
        paintName(laid, node, top);
        if (node.kind == NodeKind::Slices)
            paintSlices(laid, node, top);
        else if (node.isGroup() && laid.collapsed)
            paintSummary(laid, node, top);
        else if (node.kind == NodeKind::Counter)
            paintCounter(laid, node, top);
        painter_.setClipping(false);
    }

    // Below the last track: nobody looks for what they hid in vain.
    void paintHiddenCount() {
        const QString text = hiddenText(scene_.layout, scene_.showHidden);
        if (text.isEmpty())
            return;
        const QFontMetricsF metrics(painter_.font(), painter_.device());
        painter_.setPen(scene_.theme.muted);
        painter_.setClipRect(QRectF(0, scene_.top + scene_.layout.pinnedHeight, scene_.scale.left, scene_.height));
        painter_.drawText(QPointF(8 + kIndent, scene_.offset + scene_.layout.height +
                                                   (scene_.theme.rowHeight + metrics.ascent() - metrics.descent()) / 2),
                          text);
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

    // A pinned track stands apart from what it belongs to, and so has to say it.
    QString labelOf(const LaidTrack &laid, const TrackNode &node) const {
        const QString label = draw::safeText(node.label);
        if (!laid.pinned || laid.level > 0 || node.parent < 0)
            return label;
        return draw::safeText(scene_.tree.nodes[static_cast<std::size_t>(node.parent)].label) + QStringLiteral(" · ") +
               label;
    }

    void paintName(const LaidTrack &laid, const TrackNode &node, double top) {
        const double left = 8 + laid.level * kIndent;
        const double row = std::min<double>(laid.height, scene_.theme.rowHeight);
        if (node.isGroup() || node.rowCount > 1)
            paintTriangle(left, top + row / 2, laid.collapsed);
        QFont font = painter_.font();
        font.setBold(node.kind == NodeKind::Source);
        font.setItalic(laid.hidden);
        painter_.save();
        painter_.setFont(font);
        const QFontMetricsF metrics(font, painter_.device());
        const bool noted = node.track.valid() && scene_.noted.contains(node.track);
        const double x = left + kIndent, width = scene_.gutter - x - 8 - (noted ? kNoteMark + 6 : 0),
                     baseline = top + (row + metrics.ascent() - metrics.descent()) / 2;
        const QString label = metrics.elidedText(labelOf(laid, node), Qt::ElideMiddle, width);
        painter_.setPen(laid.hidden ? scene_.theme.muted : scene_.theme.text);
        painter_.drawText(QPointF(x, baseline), label);
        double end = x + metrics.horizontalAdvance(label);
        if (noted) {
            paintNoteMark(end + 6, top + row / 2);
            end += kNoteMark + 6;
        }
        const double rest = scene_.gutter - 8 - end - 8;
        if (!node.note.empty() && rest > 24) {
            painter_.setPen(scene_.theme.muted);
            painter_.drawText(QPointF(end + 8, baseline),
                              metrics.elidedText(draw::safeText(node.note), Qt::ElideRight, rest));
        }
        painter_.restore();
    }

    // A sheet with a folded corner.
    void paintNoteMark(double x, double middle) {
        const double half = kNoteMark / 2, fold = kNoteMark / 3;
        painter_.setPen(QPen(scene_.theme.accent, 0));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawPolygon(QPolygonF({{x, middle - half},
                                        {x + kNoteMark - fold, middle - half},
                                        {x + kNoteMark, middle - half + fold},
                                        {x + kNoteMark, middle + half},
                                        {x, middle + half}}));
        painter_.drawLine(QLineF(x + 2, middle, x + kNoteMark - 2, middle));
    }

    void paintSummary(const LaidTrack &laid, const TrackNode &node, double top) {
        const QRectF row(scene_.scale.left, top + 2, scene_.scale.width, laid.height - 5);
        const std::vector<TrackId> tracks = tracksBelow(scene_.tree, laid.node);
        if (tracks.empty())
            return;
        const auto device = std::find_if(scene_.activity.begin(), scene_.activity.end(),
                                         [&node](const DeviceActivity &d) { return d.device == node.device; });
        if (node.kind == NodeKind::Device && device != scene_.activity.end())
            return paintDeviceSummary(painter_, *device, scene_.scale, row, scene_.pixel, scene_.theme);
        summaryTracks_ += tracks.size();
        if (summaryTracks_ > kMostSummaryTracks)
            return;
        std::vector<const LanePicture *> pictures;
        for (const TrackId track : tracks)
            pictures.push_back(
                &scene_.pictures.lanes(track, scene_.scale.visible, scene_.scale.width / scene_.pixel));
        paintRunning(painter_, runningAtOnce(pictures, scene_.scale, scene_.pixel), tracks.size(), row, scene_.pixel,
                     draw::blend(scene_.theme.panel, scene_.theme.muted, 0.7));
    }

    void paintSlices(const LaidTrack &laid, const TrackNode &node, double top) {
        const auto metrics = laneMetrics(laid, node, top, scene_.pixel);
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
    std::size_t summaryTracks_ = 0;
};

}  // namespace

QString hiddenText(const TrackLayout &layout, bool shown) {
    if (layout.hiddenCount == 0)
        return {};
    return (shown ? QCoreApplication::translate("Timeline", "%n shown although hidden · hide", nullptr, layout.hiddenCount)
                  : QCoreApplication::translate("Timeline", "%n hidden · show", nullptr, layout.hiddenCount));
}

void renderTracks(QPainter &painter, const TimelineScene &scene) {
    Renderer(painter, scene).render();
}

}  // namespace wattproof::widgets
