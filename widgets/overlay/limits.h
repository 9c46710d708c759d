// The limits that logs state, and the lines that show them without lying on one another.
#pragma once

#include "widgets/overlay/channels.h"

#include <set>
#include <string>
#include <vector>

#include <QPainter>

namespace wattproof::widgets {

// The highest value of one channel of limits.
struct StatedLimit {
    ChannelAxis axis = ChannelAxis::Power;
    double value = 0;
    std::string unit;
    DeviceId device;
    std::string domain;
    QString deviceName;
    QString name;  // as the log spells it
};

struct LimitLine {
    ChannelAxis axis = ChannelAxis::Power;
    double value = 0;
    QString label;  // "power limit 300 W"

    bool operator==(const LimitLine &) const = default;
};

// A whole that stands in a stack.
struct StackedWhole {
    DeviceId device;
    std::string domain;
};

struct LimitLines {
    std::vector<LimitLine> lines;
    QString missing;  // why the stack has no line although a limit is stated; empty: it has, or none is stated
};

[[nodiscard]] std::vector<StatedLimit> statedLimits(const RunTables &, const std::set<DeviceId> &);

// Lines for what is drawn. A stack of several wholes has one power limit, the sum of theirs, where each states
// one: the limit of one says nothing about the sum of all.
[[nodiscard]] LimitLines limitLines(const std::vector<StatedLimit> &, const std::vector<StackedWhole> &stack);

[[nodiscard]] QColor limitColour(ChannelAxis, const draw::Theme &);

struct PlacedLimit {
    double y = 0;
    QColor colour;
    QString label;
    bool left = true;  // the end of the line where its label stands if there is room
};

// Lines at one height take turns with their dashes; labels step aside for one another.
void paintLimits(QPainter &, const std::vector<PlacedLimit> &, const QRectF &area, const draw::Theme &);

}  // namespace wattproof::widgets
