#include "report/draw/column_image.h"

#include <algorithm>
#include <cmath>

namespace wattproof::draw {
namespace {

// Each channel of a pixel times alpha / 255, two channels at a time.
QRgb scaled(QRgb pixel, unsigned alpha) {
    constexpr QRgb kTwo = 0x00ff00ff, kHalf = 0x00800080;
    QRgb even = (pixel & kTwo) * alpha, odd = (pixel >> 8 & kTwo) * alpha;
    even = (even + (even >> 8 & kTwo) + kHalf) >> 8 & kTwo;
    odd = (odd + (odd >> 8 & kTwo) + kHalf) & ~kTwo;
    return even | odd;
}

// Premultiplied colours, one over the other.
QRgb over(QRgb above, QRgb below) {
    return above + scaled(below, 255U - static_cast<unsigned>(qAlpha(above)));
}

// Rounded by the cast: std::round() is a call of the library, and this runs for each span of each column.
int wholeRow(double y, int height) {
    return static_cast<int>(std::clamp(y, 0.0, static_cast<double>(height)) + 0.5);
}

}  // namespace

ColumnImage::ColumnImage(const QRectF &area)
    : area_(area),
      image_(std::max(0, static_cast<int>(area.width())), std::max(0, static_cast<int>(std::ceil(area.height()))),
             QImage::Format_ARGB32_Premultiplied) {
    image_.fill(0);
    pixels_ = image_.isNull() ? nullptr : reinterpret_cast<QRgb *>(image_.bits());
    stride_ = image_.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb));
}

ColumnImage::Rows ColumnImage::rows(int column, double top, double bottom) const {
    if (column < 0 || column >= image_.width())
        return {0, 0};
    const int height = image_.height();
    const int begin = wholeRow(top - area_.top(), height);
    return {begin, std::min(std::max(wholeRow(bottom - area_.top(), height), begin + 1), height)};
}

void ColumnImage::fill(int column, double top, double bottom, QRgb colour) {
    const bool covers = qAlpha(colour) == 255;
    const Rows span = rows(column, top, bottom);
    for (int row = span.begin; row < span.end; ++row) {
        QRgb &pixel = *at(column, row);
        pixel = covers || pixel == 0 ? colour : over(colour, pixel);
    }
}

void ColumnImage::hatch(int column, double top, double bottom, const HatchPixels &pixels) {
    const Rows span = rows(column, top, bottom);
    const int x = column + static_cast<int>(area_.left()), y = static_cast<int>(area_.top());
    for (int row = span.begin; row < span.end; ++row) {
        QRgb &pixel = *at(column, row);
        const int place = pixels.rising ? x + y + row : x - y - row;
        pixel = over(place % pixels.spacing == 0 ? pixels.stroke : pixels.ground, pixel);
    }
}

void ColumnImage::paint(QPainter &painter) const {
    painter.drawImage(area_.topLeft(), image_);
}

}  // namespace wattproof::draw
