#include "widgets/occupancy/occupancy_painter.h"

#include "report/draw/hatch.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wattproof::widgets {
namespace {

constexpr std::array<const char *, 6> kCauses{"host", "synchronization", "launch", "memory", "input", "tail"};

// Shares of one layer in each pixel column of a rectangle.
class Columns {
public:
    Columns(const draw::TimeScale &scale, const QRectF &rect, double pixel)
        : left_(rect.left()), pixel_(pixel), count_(static_cast<int>(std::lround(rect.width() / pixel))) {
        for (int i = 0; i <= count_; ++i)
            edges_.push_back(scale.time(rect.left() + i * pixel));
    }

    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] double x(int i) const { return left_ + i * pixel_; }
    [[nodiscard]] TimeRange range(int i) const {
        return {edges_[at(i)], std::max(edges_[at(i)] + 1, edges_[at(i) + 1])};
    }

    [[nodiscard]] std::vector<float> shares(const Coverage &coverage) const {
        std::vector<float> shares(static_cast<std::size_t>(count_));
        for (int i = 0; i < count_; ++i)
            shares[at(i)] = static_cast<float>(coverage.in(range(i))) / static_cast<float>(range(i).length());
        return shares;
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    double left_, pixel_;
    int count_;
    std::vector<Ns> edges_;
};

// Puts one layer on top of what stands already; equal neighbours become one rectangle.
void stack(QPainter &painter, const Columns &columns, const std::vector<float> &shares, std::vector<float> &base,
           const QRectF &rect, double pixel, const QColor &colour) {
    const auto height = [&rect](float share) { return share * rect.height(); };
    for (int i = 0, next = 0; i < columns.count(); i = next) {
        const auto at = static_cast<std::size_t>(i);
        for (next = i + 1; next < columns.count() && shares[static_cast<std::size_t>(next)] == shares[at] &&
                           base[static_cast<std::size_t>(next)] == base[at];)
            ++next;
        if (shares[at] > 0)
            painter.fillRect(QRectF(columns.x(i), rect.bottom() - height(base[at] + shares[at]),
                                    (next - i) * pixel, height(shares[at])),
                             colour);
    }
    for (std::size_t i = 0; i < base.size(); ++i)
        base[i] += shares[i];
}

void paintOutside(QPainter &painter, TimeRange span, const draw::TimeScale &scale, const QRectF &rect,
                  const draw::Theme &theme) {
    const double begin = std::clamp(scale.x(span.begin), rect.left(), rect.right());
    const double end = std::clamp(scale.x(span.end), rect.left(), rect.right());
    if (begin > rect.left())
        draw::paintMissing(painter, QRectF(rect.left(), rect.top(), begin - rect.left(), rect.height()), theme);
    if (end < rect.right())
        draw::paintMissing(painter, QRectF(end, rect.top(), rect.right() - end, rect.height()), theme);
}

}  // namespace

QColor computeFill(const draw::Theme &theme) {
    return theme.fillOf("gemm");
}

QColor communicationFill(const draw::Theme &theme) {
    return theme.fillOf("communication");
}

QColor copyFill(const draw::Theme &theme) {
    return theme.fillOf("copy");
}

QColor causeFill(const std::string &cause, const draw::Theme &theme) {
    const auto place = std::find(kCauses.begin(), kCauses.end(), cause) - kCauses.begin();
    QColor fill = theme.muted;
    fill.setAlpha(static_cast<int>(120 - 15 * place));
    return fill;
}

void paintStack(QPainter &painter, const DeviceActivity &device, const std::map<std::string, Coverage> *causes,
                const draw::TimeScale &scale, const QRectF &rect, double pixel, const draw::Theme &theme) {
    painter.save();
    paintOutside(painter, device.span, scale, rect, theme);
    const Columns columns(scale, rect, pixel);
    std::vector<float> base(static_cast<std::size_t>(columns.count()));
    stack(painter, columns, columns.shares(device.compute), base, rect, pixel, computeFill(theme));
    stack(painter, columns, columns.shares(device.exposedCommunication), base, rect, pixel,
          communicationFill(theme));
    stack(painter, columns, columns.shares(device.exposedCopies), base, rect, pixel, copyFill(theme));
    if (causes)
        for (const auto &[cause, coverage] : *causes)
            stack(painter, columns, columns.shares(coverage), base, rect, pixel, causeFill(cause, theme));
    painter.restore();
}

void paintConcurrency(QPainter &painter, const DeviceActivity &device, const draw::TimeScale &scale,
                      const QRectF &rect, int most, double pixel, const draw::Theme &theme) {
    const Columns columns(scale, rect, pixel);
    QPolygonF line;
    for (int i = 0; i < columns.count(); ++i)
        line << QPointF(columns.x(i), rect.bottom() - device.concurrency.mean(columns.range(i)) /
                                                          std::max(1, most) * rect.height());
    QColor stroke = theme.text;
    stroke.setAlpha(170);
    painter.setPen(QPen(stroke, 0));
    painter.drawPolyline(line);
}

void paintBusy(QPainter &painter, const Coverage &coverage, const draw::TimeScale &scale, const QRectF &rect,
               double pixel, const QColor &colour) {
    const Columns columns(scale, rect, pixel);
    std::vector<float> base(static_cast<std::size_t>(columns.count()));
    stack(painter, columns, columns.shares(coverage), base, rect, pixel, colour);
}

}  // namespace wattproof::widgets
