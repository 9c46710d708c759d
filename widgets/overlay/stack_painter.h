// The fills of stacked power domains.
#pragma once

#include "report/draw/column_image.h"
#include "report/draw/counter_painter.h"
#include "widgets/overlay/stack.h"
#include "widgets/overlay/trust.h"

#include <vector>

#include <QColor>
#include <QPainter>
#include <QString>

namespace wattproof::widgets {

// A layer of the stack with its looks.
struct DrawnLayer {
    StackLayer layer;
    QString label;  // "package", "rest of package"
    QColor fill;
    std::vector<DoubtSpan> doubts;  // of its channel, moved in time as it is
};

// Fills for a stack of `count` layers, bottom first: tints of the power colour, the rests greyer.
[[nodiscard]] QColor layerFill(std::size_t index, std::size_t count, bool rest, const draw::Theme &);

// Doubted stretches of a layer are hatched, and so is all above a layer that is unknown: the sum is unknown there.
void fillStack(draw::ColumnImage &, const std::vector<DrawnLayer> &, const draw::TimeScale &,
               const draw::ValueScale &, const draw::Theme &);
// The name of each layer where it is thick enough for it, and the word of each doubted stretch.
void paintLayerNames(QPainter &, const std::vector<DrawnLayer> &, const draw::TimeScale &,
                     const draw::ValueScale &, const draw::Theme &);

}  // namespace wattproof::widgets
