#include "report/draw/evidence_picture.h"

#include "report/draw/counter_painter.h"
#include "report/draw/evidence_rows.h"
#include "report/draw/lane_painter.h"
#include "report/draw/ruler_painter.h"
#include "report/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <QBuffer>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QSvgGenerator>

namespace wattproof::draw {
namespace {

constexpr double kGutter = 150, kRuler = 24, kRow = 17, kLaneGap = 6, kCurve = 56, kLegend = 24;
constexpr double kBucketPixels = 2.5;  // a report is read at a glance: a coarser picture is a smaller file

class EvidencePainter {
public:
    EvidencePainter(const EvidenceRows &rows, NameLooks &looks, const Theme &theme,
                    const std::vector<ClampMark> &clamps, TimeRange range, double width, double least)
        : rows_(rows),
          looks_(looks),
          theme_(theme),
          clamps_(clamps),
          scale_{range, kGutter, width - kGutter},
          height_(std::max(least, contentHeight())) {}

    [[nodiscard]] double height() const { return height_; }

    void paint(QPainter &painter) {
        painter.fillRect(QRectF(0, 0, scale_.right(), height_), theme_.background);
        paintRuler(painter, scale_, QRectF(kGutter, 0, scale_.width, kRuler), theme_);
        const double bottom = height_ - kLegend;
        paintGrid(painter, scale_, kRuler, bottom, theme_);
        double top = kRuler + kLaneGap;
        for (const EvidenceLane &lane : rows_.lanes)
            top += paintLane(painter, lane, top);
        for (const EvidenceCurve &curve : rows_.curves)
            top += paintCounter(painter, curve, top);
        paintClamps(painter, clamps_, scale_, kRuler, bottom, theme_);
        if (rows_.lanes.empty() && rows_.curves.empty())
            paintName(painter, QStringLiteral("nothing recorded here"), kRuler, kRow);
        paintLegend(painter);
    }

private:
    [[nodiscard]] double contentHeight() const {
        double height = kRuler + kLaneGap + kLegend;
        for (const EvidenceLane &lane : rows_.lanes)
            height += lane.rowCount * kRow + kLaneGap;
        return height + static_cast<double>(rows_.curves.size()) * (kCurve + kLaneGap);
    }

    void paintName(QPainter &painter, const QString &text, double top, double height) {
        const QFontMetricsF metrics(painter.font());
        painter.setPen(theme_.text);
        painter.drawText(QPointF(0, top + (height + metrics.ascent() - metrics.descent()) / 2),
                         metrics.elidedText(text, Qt::ElideMiddle, kGutter - 8));
    }

    // On half pixels, with a gap to its neighbours: short numbers, and edges that a browser draws sharp.
    static QRectF snapped(const QRectF &box) {
        const double left = std::round(box.left() * 2) / 2;
        const double width = std::max(0.5, std::round(box.width() * 2) / 2 - (box.width() > 3 ? 0.5 : 0));
        return {left, box.top(), width, box.height() - 1};
    }

    // One path for each fill: a report holds many pictures of many boxes.
    double paintLane(QPainter &painter, const EvidenceLane &lane, double top) {
        const auto boxes = laneBoxes(lane.spans, scale_, {top, kRow, 0.5});
        std::map<QRgb, QPainterPath> paths;
        for (const LaneBox &box : boxes) {
            const store::LaneSpan &span = lane.spans[box.span];
            paths[spanFill(span, looks_, theme_).rgb()].addRect(snapped(box.rect));
            const std::string &opClass = looks_.look(span.name).opClass;
            if (!opClass.empty())
                classes_.insert(opClass);
        }
        for (const auto &[fill, path] : paths)
            painter.fillPath(path, QColor::fromRgb(fill));
        paintLaneLabels(painter, boxes, lane.spans, looks_);
        paintName(painter, safeText(lane.name), top, kRow);
        return lane.rowCount * kRow + kLaneGap;
    }

    double paintCounter(QPainter &painter, const EvidenceCurve &band, double top) {
        const auto [low, high] = niceRange(band.counter.minValue, band.counter.maxValue);
        const ValueScale values{low, high, top, top + kCurve};
        const CounterCurve curve = counterCurve(band.buckets, scale_, values, shapeOf(band.counter));
        const std::vector<TimeRange> gaps = gapsIn(band.buckets, scale_);
        paintGaps(painter, gaps, scale_, top, top + kCurve, theme_);
        paintCurve(painter, curve, channelColour(band.counter.quantity, theme_));
        gaps_ = gaps_ || !gaps.empty();
        paintName(painter, safeText(band.name), top, kRow);
        const std::string range = "0 – " + report::quantity(high, band.counter.unit);
        paintName(painter, low == 0 ? QString::fromStdString(range) : rangeText(low, high, band.counter.unit),
                  top + kRow, kRow);
        painter.setPen(QPen(theme_.grid, 0));
        painter.drawLine(QLineF(scale_.left, values.bottom, scale_.right(), values.bottom));
        return kCurve + kLaneGap;
    }

    static QString rangeText(double low, double high, const std::string &unit) {
        return QString::fromStdString(report::quantity(low, unit) + " – " + report::quantity(high, unit));
    }

    void paintLegend(QPainter &painter) {
        double x = kGutter;
        for (const std::string &opClass : classes_)
            x = legendEntry(painter, x, QString::fromStdString(opClass),
                            [&](const QRectF &swatch) { painter.fillRect(swatch, theme_.fillOf(opClass)); });
        std::set<std::string> clampClasses;
        for (const ClampMark &mark : clamps_)
            if (scale_.shows(mark.range))
                clampClasses.insert(mark.clampClass);
        for (const std::string &clampClass : clampClasses)
            x = legendEntry(painter, x, clampWord(clampClass),
                            [&](const QRectF &swatch) { paintClamp(painter, swatch, clampClass, theme_); });
        if (gaps_)
            legendEntry(painter, x, QStringLiteral("no samples"),
                        [&](const QRectF &swatch) { paintMissing(painter, swatch, theme_); });
    }

    template <class Swatch>
    double legendEntry(QPainter &painter, double x, const QString &word, Swatch paintSwatch) {
        const QFontMetricsF metrics(painter.font());
        const double end = x + 16 + metrics.horizontalAdvance(word) + 12, top = height_ - kLegend + 8;
        if (end > scale_.right())
            return x;
        paintSwatch(QRectF(x, top, 11, 11));
        painter.setPen(theme_.muted);
        painter.drawText(QPointF(x + 16, top + 10), word);
        return end;
    }

    const EvidenceRows &rows_;
    NameLooks &looks_;
    const Theme &theme_;
    const std::vector<ClampMark> &clamps_;
    TimeScale scale_;
    double height_;
    std::set<std::string> classes_;  // met while painting: what the legend names
    bool gaps_ = false;
};

// Without prolog and millimetres: the page decides how wide the picture is.
std::string fragment(const QByteArray &document, QSize size) {
    QString svg = QString::fromUtf8(document);
    svg.remove(0, svg.indexOf(QLatin1String("<svg")));
    static const QRegularExpression millimetres(QStringLiteral("width=\"[^\"]*mm\" height=\"[^\"]*mm\""));
    svg.replace(svg.indexOf(millimetres), millimetres.match(svg).capturedLength(),
                QStringLiteral("width=\"%1\" height=\"%2\" role=\"img\"").arg(size.width()).arg(size.height()));
    return svg.toStdString();
}

QFont pictureFont() {
    QFont font = QGuiApplication::font();
    font.setPixelSize(11);
    return font;
}

}  // namespace

std::string evidenceSvg(store::Reader &reader, TimeRange range, const std::vector<std::string> &tracks,
                        const Theme &theme, QSize size, const std::vector<ClampMark> &clamps) {
    if (range.empty() || size.width() <= kGutter)
        return {};
    NameLooks looks;
    looks.setTheme(theme);
    const Ns bucket = bucketFor(range, (size.width() - kGutter) / kBucketPixels);
    const EvidenceRows rows = readEvidence(reader, range, tracks, bucket, looks);
    EvidencePainter picture(rows, looks, theme, clamps, range, size.width(), size.height());
    const QSize whole(size.width(), static_cast<int>(picture.height()));
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(whole);
    generator.setViewBox(QRect(QPoint(0, 0), whole));
    generator.setTitle(QStringLiteral("Timeline of the evidence"));
    QPainter painter(&generator);
    painter.setFont(pictureFont());
    picture.paint(painter);
    painter.end();
    return fragment(buffer.data(), whole);
}

}  // namespace wattproof::draw
