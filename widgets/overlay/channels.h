// Which counters the overlay shows, on which axis and how.
#pragma once

#include "report/draw/counter_painter.h"
#include "widgets/plot/run_tables.h"

#include <set>
#include <string>
#include <vector>

#include <QColor>
#include <QString>

namespace wattproof::widgets {

enum class ChannelAxis { Power, Temperature, Clock };

// How what is stored becomes what is drawn: as it is, or as the power that an energy reading stands for.
enum class Reading { AsStored, CounterRate, DeltaRate };

// What a power channel is to the others: a whole, a part of one, or a second reading of one.
enum class PowerRole { Whole, Part, SameAgain };

struct OverlayChannel {
    CounterRow counter;
    ChannelAxis axis = ChannelAxis::Power;
    Reading reading = Reading::AsStored;
    PowerRole role = PowerRole::Whole;
    std::string unit;  // of what is drawn
    QString device;    // "GPU 0"
    QString label;     // "GPU 0 power"
    QColor colour;
    Qt::PenStyle style = Qt::SolidLine;  // tells channels of one axis apart
    draw::CounterShape shape = draw::CounterShape::Line;
};

// Devices that have channels, in order.
[[nodiscard]] std::vector<DeviceId> overlayDevices(const RunTables &);
// Channels of some devices: power first, each whole before its parts, then temperature, then clocks.
[[nodiscard]] std::vector<OverlayChannel> overlayChannels(const RunTables &, const std::set<DeviceId> &,
                                                          const draw::Theme &);
// The throttle masks of these devices that a table explains.
[[nodiscard]] std::vector<CounterRow> throttleMasks(const RunTables &, const std::set<DeviceId> &);

// Energy as power, and readings that stand for the time before them over that time: after this every step begins
// at its bucket's `ts`.
[[nodiscard]] std::vector<store::CounterBucket> asDrawn(const std::vector<store::CounterBucket> &,
                                                        const OverlayChannel &);

// "mean of 1 s, every 100 ms, 500 ms late", what the sensor is known to do; empty where nothing is.
[[nodiscard]] QString sensorText(const Sensor &);

// How an axis counts: its unit with prefix, and what values are divided by.
struct AxisUnit {
    double divisor = 1;
    std::string text;  // "W", "°C", "GHz"
};
[[nodiscard]] AxisUnit axisUnit(ChannelAxis, double largest);
[[nodiscard]] const char *quantityOf(ChannelAxis);

}  // namespace wattproof::widgets
