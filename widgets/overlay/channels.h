// Which counters the overlay shows, on which axis and how.
#pragma once

#include "report/draw/counter_painter.h"
#include "widgets/plot/run_tables.h"

#include <string>
#include <vector>

#include <QColor>
#include <QString>

namespace wattproof::widgets {

enum class ChannelAxis { Power, Temperature, Clock };

struct OverlayChannel {
    CounterRow counter;
    ChannelAxis axis = ChannelAxis::Power;
    QString label;  // "GPU 0 power"
    QColor colour;
    Qt::PenStyle style = Qt::SolidLine;  // tells channels of one axis apart
    draw::CounterShape shape = draw::CounterShape::Line;
};

struct LimitLine {
    double watts = 0;
    QString label;  // "power limit 300 W"
};

// Devices that have channels, in order.
[[nodiscard]] std::vector<DeviceId> overlayDevices(const RunTables &);
// Channels of one device, or of all with no id: power first, then temperature, then clocks.
[[nodiscard]] std::vector<OverlayChannel> overlayChannels(const RunTables &, DeviceId, const draw::Theme &);
// Limits that the log states (quantity "limit" in watts): the highest value of each.
[[nodiscard]] std::vector<LimitLine> overlayLimits(const RunTables &, DeviceId);

// How an axis counts: its unit with prefix, and what values are divided by.
struct AxisUnit {
    double divisor = 1;
    std::string text;  // "W", "°C", "GHz"
};
[[nodiscard]] AxisUnit axisUnit(ChannelAxis, double largest);

}  // namespace wattproof::widgets
