#include "report/draw/hatch.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QPaintEngine>
#include <QPainterPath>

namespace wattproof::draw {
namespace {

constexpr int kSpacing = 7, kClampStrokes = 150;
constexpr int kMissingSpacing = 6, kMissingTint = 12, kMissingStrokes = 70;

int clampTint(const Theme &theme) {
    return theme.dark ? 34 : 24;
}

QRgb pixelOf(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return qPremultiply(colour.rgba());
}

// What a mark adds to those of its class before it: marks of several devices lie on one another.
struct Stretch {
    double left = 0, right = 0;
    const ClampMark *mark = nullptr;
};

std::vector<Stretch> stretchesOf(const std::vector<ClampMark> &marks, const TimeScale &scale) {
    std::vector<Stretch> stretches;
    std::map<std::string, double> drawnTo;
    for (const ClampMark &mark : marks) {
        if (!scale.shows(mark.range))
            continue;
        const auto before = drawnTo.try_emplace(mark.clampClass, scale.left - 1).first;
        const double begin = std::max(scale.left, scale.x(mark.range.begin));
        const double right = std::min(scale.right(), std::max(scale.x(mark.range.end), begin + 2));
        const double left = std::max(begin, before->second);
        if (right <= left)
            continue;
        stretches.push_back({left, right, &mark});
        before->second = right;
    }
    return stretches;
}

// The stretch of the line x + y·(rising ? 1 : -1) = c inside the rectangle.
QLineF cutLine(const QRectF &r, double c, bool rising) {
    const double sign = rising ? 1 : -1;
    const double x0 = std::max(r.left(), std::min(c - sign * r.top(), c - sign * r.bottom()));
    const double x1 = std::min(r.right(), std::max(c - sign * r.top(), c - sign * r.bottom()));
    return {x0, (c - x0) * sign, x1, (c - x1) * sign};
}

void hatch(QPainter &painter, const QRectF &rect, QColor colour, int tint, int strokes, double spacing,
           bool rising) {
    QColor wash = colour;
    wash.setAlpha(tint);
    painter.fillRect(rect, wash);
    colour.setAlpha(strokes);
    painter.setPen(QPen(colour, 0));
    painter.setBrush(Qt::NoBrush);
    paintLines(painter, hatchLines(rect, spacing, rising));
}

}  // namespace

std::vector<ClampMark> clampMarks(const std::vector<store::ClampRow> &rows) {
    std::vector<ClampMark> marks;
    for (const store::ClampRow &row : rows)
        marks.push_back({row.device, {row.ts, row.ts + row.dur}, row.clampClass, row.reason});
    std::sort(marks.begin(), marks.end(),
              [](const ClampMark &a, const ClampMark &b) { return a.range.begin < b.range.begin; });
    return marks;
}

std::vector<QLineF> hatchLines(const QRectF &rect, double spacing, bool rising) {
    std::vector<QLineF> lines;
    if (rect.isEmpty() || spacing <= 0)
        return lines;
    const double sign = rising ? 1 : -1;
    const double a = sign * rect.top(), b = sign * rect.bottom();
    const double low = rect.left() + std::min(a, b), high = rect.right() + std::max(a, b);
    for (double i = std::ceil(low / spacing); i * spacing < high; ++i)
        if (const QLineF line = cutLine(rect, i * spacing, rising); line.x2() > line.x1())
            lines.push_back(line);
    return lines;
}

void paintLines(QPainter &painter, const std::vector<QLineF> &lines) {
    if (painter.paintEngine()->type() != QPaintEngine::SVG)
        return painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    QPainterPath path;
    for (const QLineF &line : lines) {
        path.moveTo(line.p1());
        path.lineTo(line.p2());
    }
    if (!path.isEmpty())
        painter.drawPath(path);
}

QColor clampColour(const std::string &clampClass, const Theme &theme) {
    if (clampClass == "thermal")
        return theme.bad;
    return clampClass == "power" || clampClass == "current" ? theme.warn : theme.muted;
}

QString clampWord(const std::string &clampClass) {
    if (clampClass == "thermal")
        return QStringLiteral("Thermal clamp");
    if (clampClass == "power")
        return QStringLiteral("Power cap");
    if (clampClass == "current")
        return QStringLiteral("Current limit");
    return QStringLiteral("Throttled");
}

void paintClamp(QPainter &painter, const QRectF &rect, const std::string &clampClass, const Theme &theme) {
    hatch(painter, rect, clampColour(clampClass, theme), clampTint(theme), kClampStrokes, kSpacing,
          clampClass == "thermal");
}

void paintMissing(QPainter &painter, const QRectF &rect, const Theme &theme) {
    hatch(painter, rect, theme.muted, kMissingTint, kMissingStrokes, kMissingSpacing, true);
}

void paintClamps(QPainter &painter, const std::vector<ClampMark> &marks, const TimeScale &scale, double top,
                 double bottom, const Theme &theme) {
    if (painter.paintEngine()->type() == QPaintEngine::Raster) {
        ColumnImage image(QRectF(QPointF(scale.left, top), QPointF(scale.right(), bottom)));
        fillClamps(image, marks, scale, top, bottom, theme);
        return image.paint(painter);
    }
    painter.save();
    for (const Stretch &stretch : stretchesOf(marks, scale))
        paintClamp(painter, QRectF(QPointF(stretch.left, top), QPointF(stretch.right, bottom)),
                   stretch.mark->clampClass, theme);
    painter.restore();
}

void fillClamps(ColumnImage &image, const std::vector<ClampMark> &marks, const TimeScale &scale, double top,
                double bottom, const Theme &theme) {
    for (const Stretch &stretch : stretchesOf(marks, scale)) {
        const QColor colour = clampColour(stretch.mark->clampClass, theme);
        const HatchPixels pixels{pixelOf(colour, kClampStrokes), pixelOf(colour, clampTint(theme)), kSpacing,
                                 stretch.mark->clampClass == "thermal"};
        const double left = std::round(stretch.left - image.area().left());
        const double right = std::round(stretch.right - image.area().left());
        for (int column = static_cast<int>(left); column < static_cast<int>(right); ++column)
            image.hatch(column, top, bottom, pixels);
    }
}

HatchPixels missingPixels(const Theme &theme) {
    return {pixelOf(theme.muted, kMissingStrokes), pixelOf(theme.muted, kMissingTint), kMissingSpacing, true};
}

}  // namespace wattproof::draw
