#include "widgets/overlay/stack_painter.h"

#include "report/draw/hatch.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace wattproof::widgets {
namespace {

QRgb pixelOf(const QColor &colour) {
    return qPremultiply(colour.rgba());
}

struct Columns {
    int begin = 0, end = 0;
};

Columns columnsOf(TimeRange range, const draw::TimeScale &scale, int count) {
    const auto column = [&](Ns time) {
        return static_cast<int>(
            std::clamp(std::floor(scale.x(time) - scale.left), 0.0, static_cast<double>(count)));
    };
    return {column(range.begin), std::max(column(range.end), std::min(column(range.begin) + 1, count))};
}

// Where the layer begins and ends in a column; none where it is unknown.
std::optional<std::pair<double, double>> heights(const DrawnLayer &layer, int column,
                                                 const draw::ValueScale &values) {
    const auto i = static_cast<std::size_t>(column);
    const double end = layer.layer.top[i];
    if (std::isnan(end))
        return std::nullopt;
    return std::pair(values.y(end), values.y(end - layer.layer.watts[i]));
}

void fillLayer(draw::ColumnImage &image, const DrawnLayer &layer, const draw::ValueScale &values, int count) {
    const QRgb pixel = pixelOf(layer.fill);
    for (int column = 0; column < count; ++column)
        if (const auto at = heights(layer, column, values); at && at->second > at->first)
            image.fill(column, at->first, at->second, pixel);
}

void hatchDoubts(draw::ColumnImage &image, const DrawnLayer &layer, const draw::TimeScale &scale,
                 const draw::ValueScale &values, int count, const draw::Theme &theme) {
    const draw::HatchPixels doubted{pixelOf(theme.muted), pixelOf(theme.background)};
    for (const DoubtSpan &span : layer.doubts) {
        if (!scale.shows(span.range))
            continue;
        const Columns columns = columnsOf(span.range, scale, count);
        for (int column = columns.begin; column < columns.end; ++column)
            if (const auto at = heights(layer, column, values))
                image.hatch(column, at->first, at->second, doubted);
    }
}

// A stroke along the layer's upper edge, joined where it jumps.
void strokeTop(draw::ColumnImage &image, const DrawnLayer &layer, const draw::ValueScale &values, int count,
               QRgb pixel) {
    std::optional<double> before;
    for (int column = 0; column < count; ++column) {
        const auto at = heights(layer, column, values);
        if (at) {
            const double from = before.value_or(at->first);
            image.fill(column, std::min(from, at->first), std::max(from, at->first) + 1, pixel);
            before = at->first;
        } else {
            before.reset();
        }
    }
}

// Where something is known, but not all of it.
void hatchUnknown(draw::ColumnImage &image, const std::vector<DrawnLayer> &layers, const draw::ValueScale &values,
                  int count, const draw::Theme &theme) {
    for (int column = 0; column < count; ++column) {
        const auto i = static_cast<std::size_t>(column);
        double known = values.y(0);
        bool any = false, all = true;
        for (const DrawnLayer &layer : layers) {
            any = any || !std::isnan(layer.layer.watts[i]);
            if (const auto at = heights(layer, column, values))
                known = at->first;
            else
                all = false;
        }
        if (any && !all)
            image.hatch(column, values.top, known, draw::missingPixels(theme));
    }
}

// The name of a layer where it is thick enough over the name's whole width.
void paintLayerName(QPainter &painter, const DrawnLayer &layer, const draw::TimeScale &scale,
                    const draw::ValueScale &values) {
    const QFontMetricsF metrics(painter.font());
    const auto width = static_cast<std::size_t>(std::ceil(metrics.horizontalAdvance(layer.label))) + 8;
    const double need = metrics.height() - 1;
    const std::size_t columns = layer.layer.top.size();
    for (std::size_t from = 8; from + width < columns; from += width) {
        double top = values.top, bottom = values.bottom;
        for (std::size_t column = from; column < from + width && bottom - top >= need; column += 4) {
            const double end = layer.layer.top[column], begin = end - layer.layer.watts[column];
            if (std::isnan(end))
                bottom = top;
            top = std::max(top, values.y(end));
            bottom = std::min(bottom, values.y(begin));
        }
        if (bottom - top < need)
            continue;
        painter.setPen(draw::Theme::labelOn(layer.fill));
        painter.drawText(
            QRectF(scale.left + static_cast<double>(from), top, static_cast<double>(width), bottom - top),
            Qt::AlignCenter, layer.label);
        return;
    }
}

void paintDoubtWords(QPainter &painter, const DrawnLayer &layer, const draw::TimeScale &scale,
                     const draw::ValueScale &values, const draw::Theme &theme) {
    const QFontMetricsF metrics(painter.font());
    const int count = static_cast<int>(layer.layer.top.size());
    for (const DoubtSpan &span : layer.doubts) {
        if (!scale.shows(span.range))
            continue;
        const Columns columns = columnsOf(span.range, scale, count);
        const QString word = QString::fromStdString(doubtWord(span.doubt));
        const double width = metrics.horizontalAdvance(word) + 6;
        const auto at = heights(layer, (columns.begin + columns.end) / 2, values);
        if (!at || columns.end - columns.begin < width + 8)
            continue;
        const double middle = (at->first + at->second - metrics.height()) / 2;
        const QRectF place(scale.left + columns.begin + 4, middle, width, metrics.height());
        painter.fillRect(place, theme.background);
        painter.setPen(theme.text);
        painter.drawText(place, Qt::AlignCenter, word);
    }
}

}  // namespace

QColor layerFill(std::size_t index, std::size_t count, bool rest, const draw::Theme &theme) {
    constexpr double kStrongest = 0.35, kSpan = 0.4;
    const double place = count < 2 ? 0 : static_cast<double>(index) / static_cast<double>(count - 1);
    const QColor tint = draw::blend(theme.accent, theme.background, kStrongest + kSpan * place);
    return rest ? draw::blend(theme.grid, theme.background, 0.2) : tint;
}

void fillStack(draw::ColumnImage &image, const std::vector<DrawnLayer> &layers, const draw::TimeScale &scale,
               const draw::ValueScale &values, const draw::Theme &theme) {
    if (layers.empty())
        return;
    const int count = std::min(image.columns(), static_cast<int>(layers.front().layer.top.size()));
    for (const DrawnLayer &layer : layers) {
        fillLayer(image, layer, values, count);
        hatchDoubts(image, layer, scale, values, count, theme);
    }
    for (const DrawnLayer &layer : layers)
        strokeTop(image, layer, values, count, pixelOf(theme.accent));
    hatchUnknown(image, layers, values, count, theme);
}

void paintLayerNames(QPainter &painter, const std::vector<DrawnLayer> &layers, const draw::TimeScale &scale,
                     const draw::ValueScale &values, const draw::Theme &theme) {
    for (const DrawnLayer &layer : layers) {
        if (layers.size() > 1)
            paintLayerName(painter, layer, scale, values);
        paintDoubtWords(painter, layer, scale, values, theme);
    }
}

}  // namespace wattproof::widgets
