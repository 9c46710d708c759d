// What the overlay draws beside the curves' lines: fills of stacked domains, envelopes, hatches and throttle rows.
#pragma once

#include "report/draw/counter_painter.h"
#include "widgets/overlay/stack.h"
#include "widgets/overlay/throttle.h"
#include "widgets/overlay/trust.h"

#include <string>
#include <vector>

#include <QColor>
#include <QPainter>
#include <QString>

namespace wattproof::widgets {

inline constexpr int kThrottleRow = 13;  // height of a row of throttle spans, pixels

// A layer of the stack with its looks.
struct DrawnLayer {
    StackLayer layer;
    QString label;  // "package", "rest of package"
    QColor fill;
};

// Fills for a stack of `count` layers, bottom first: tints of the power colour, the rests greyer.
[[nodiscard]] QColor layerFill(std::size_t index, std::size_t count, bool rest, const draw::Theme &);

void paintStack(QPainter &, const std::vector<DrawnLayer> &, const draw::TimeScale &, const draw::ValueScale &,
                const draw::Theme &);

// Vertical strokes from the least to the greatest reading of what a bucket hides.
void paintEnvelope(QPainter &, const std::vector<store::CounterBucket> &, const draw::TimeScale &,
                   const draw::ValueScale &, QColor);

// Stretches without readings, over the whole height.
void paintGapSpans(QPainter &, const std::vector<TimeRange> &, const draw::TimeScale &, double top, double bottom,
                   const draw::Theme &);
// A gap of one channel: hatched between the readings on both sides.
void paintChannelGap(QPainter &, TimeRange gap, double before, double after, const draw::TimeScale &,
                     const draw::ValueScale &, const QColor &, const draw::Theme &);

// A stretch that is doubted: hatched around its readings, with its word where there is room.
void paintDoubt(QPainter &, const DoubtSpan &, const draw::TimeScale &, const draw::ValueScale &, const QColor &,
                const draw::Theme &);

// Rows of spans, one for each class of `rows`, from `top` down; names in the gutter.
void paintThrottleRows(QPainter &, const std::vector<ThrottleSpan> &, const std::vector<std::string> &rows,
                       const draw::TimeScale &, double top, const draw::Theme &);

}  // namespace wattproof::widgets
