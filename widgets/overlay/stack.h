// Power domains on top of each other, one value a pixel column. What a whole contains stands inside it and is
// never added to it: what no part accounts for is its rest.
#pragma once

#include "report/draw/counter_painter.h"
#include "store/reader.h"

#include <string>
#include <vector>

namespace wattproof::widgets {

struct StackPart {
    CounterId counter;
    CounterId whole;  // the part's container, if that is in the stack too
    const std::vector<store::CounterBucket> *items = nullptr;
    draw::CounterShape shape = draw::CounterShape::Line;
};

struct StackLayer {
    std::size_t part = 0;       // index into the parts
    bool rest = false;          // of a whole with parts
    std::vector<double> watts;  // of this layer at each column; NaN: unknown
    std::vector<double> top;    // where it ends, counted from zero; NaN: it or a layer below is unknown
};

// Value in each pixel column of the scale: the middle of what the column's samples span, else what the curve's
// shape says there; NaN in gaps and outside the log.
[[nodiscard]] std::vector<double> columnValues(const std::vector<store::CounterBucket> &, draw::CounterShape,
                                               const draw::TimeScale &);

// Bottom layer first: each whole in order, before its rest its parts. Parts that read more than their whole leave
// a rest of 0, so that the whole's own reading stays the height of the stack wherever it can.
[[nodiscard]] std::vector<StackLayer> stackOf(const std::vector<StackPart> &, const draw::TimeScale &);

}  // namespace wattproof::widgets
