// Vertical spans in pixel columns, put together in an image: a painter takes milliseconds for some ten thousand
// strokes, writing their pixels does not. Colours are premultiplied.
#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QRectF>

namespace wattproof::draw {

struct HatchPixels {
    QRgb stroke = 0, ground = 0;  // premultiplied
    int spacing = 6;
    bool rising = true;
};

class ColumnImage {
public:
    // One column for each whole pixel of the area, in the painter's coordinates.
    explicit ColumnImage(const QRectF &area);

    [[nodiscard]] const QRectF &area() const { return area_; }
    [[nodiscard]] int columns() const { return image_.width(); }
    // From `top` to `bottom`, at least one pixel; a colour that is not opaque lets through what is there.
    void fill(int column, double top, double bottom, QRgb);
    // Slanted strokes on a ground, anchored to the painter's origin.
    void hatch(int column, double top, double bottom, const HatchPixels &);
    void paint(QPainter &) const;

private:
    struct Rows {
        int begin, end;
    };
    [[nodiscard]] Rows rows(int column, double top, double bottom) const;
    [[nodiscard]] QRgb *at(int column, int row) { return pixels_ + row * stride_ + column; }

    QRectF area_;
    QImage image_;
    QRgb *pixels_;
    std::ptrdiff_t stride_;  // pixels from one row to the next
};

}  // namespace wattproof::draw
