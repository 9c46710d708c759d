// Hatches: clamps, caps and missing data, told apart by slope and spacing as well as colour.
#pragma once

#include "report/draw/column_image.h"
#include "report/draw/theme.h"
#include "report/draw/time_scale.h"
#include "store/analysis_store.h"

#include <string>
#include <vector>

#include <QLineF>
#include <QPainter>
#include <QRectF>

namespace wattproof::draw {

// A span of time in which a device was held back.
struct ClampMark {
    DeviceId device;
    TimeRange range;
    std::string clampClass;  // thermal, power, current, other
    std::string reason;      // as the log or the analysis names it
};

// The clamps of the last analysis, by time.
[[nodiscard]] std::vector<ClampMark> clampMarks(const std::vector<store::ClampRow> &);

// Diagonal lines that fill a rectangle, cut at its edges, `spacing` apart. Anchored to the picture's origin, so
// that neighbouring rectangles join. Rising lines go from bottom left to top right.
[[nodiscard]] std::vector<QLineF> hatchLines(const QRectF &, double spacing, bool rising);

// Many lines at once: as one path where the picture is a document, so that it stays small.
void paintLines(QPainter &, const std::vector<QLineF> &);

// Fills a rectangle with the hatch of its class: thermal red and rising, power amber and falling, others grey.
void paintClamp(QPainter &, const QRectF &, const std::string &clampClass, const Theme &);
// Where data is missing.
void paintMissing(QPainter &, const QRectF &, const Theme &);
// Marks across a whole area at their times. Marks narrower than two pixels are widened to that, so that none is
// lost.
void paintClamps(QPainter &, const std::vector<ClampMark> &, const TimeScale &, double top, double bottom,
                 const Theme &);

// The same into an image of columns: hundreds of marks cost a painter milliseconds.
void fillClamps(ColumnImage &, const std::vector<ClampMark> &, const TimeScale &, double top, double bottom,
                const Theme &);
// The hatch of paintMissing().
[[nodiscard]] HatchPixels missingPixels(const Theme &);

[[nodiscard]] QColor clampColour(const std::string &clampClass, const Theme &);
// "Thermal clamp", "Power cap" …: the word that goes with the hatch.
[[nodiscard]] QString clampWord(const std::string &clampClass);

}  // namespace wattproof::draw
