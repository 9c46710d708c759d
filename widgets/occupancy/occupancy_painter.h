// Paints the activity of one device: one column a pixel, stacked; nothing is kept between calls.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_scale.h"
#include "widgets/occupancy/activity.h"

#include <string>

#include <QPainter>

namespace wattproof::widgets {

struct ActivityFill {
    std::string word;  // "compute", "exposed communication", …
    QColor colour;
};

[[nodiscard]] QColor computeFill(const draw::Theme &);
[[nodiscard]] QColor communicationFill(const draw::Theme &);
[[nodiscard]] QColor copyFill(const draw::Theme &);
// Idle is unfilled; its causes are told apart by faint greys, in this order: host, synchronization, launch, …
[[nodiscard]] QColor causeFill(const std::string &cause, const draw::Theme &);

// Columns of stacked shares from the bottom: compute, exposed communication, exposed copies, then idle by cause.
// Outside the device's span, where the trace says nothing, is hatched.
void paintStack(QPainter &, const DeviceActivity &, const std::map<std::string, Coverage> *causes,
                const draw::TimeScale &, const QRectF &, double pixel, const draw::Theme &);
// Mean concurrency as a line; the rectangle's height stands for `most` operations at once.
void paintConcurrency(QPainter &, const DeviceActivity &, const draw::TimeScale &, const QRectF &, int most,
                      double pixel, const draw::Theme &);
// Busy share of a stream as the height of bars in a strip.
void paintBusy(QPainter &, const Coverage &, const draw::TimeScale &, const QRectF &, double pixel,
               const QColor &);

}  // namespace wattproof::widgets
