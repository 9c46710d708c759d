// From a row of a table to its place on the time axis.
#pragma once

#include "widgets/session.h"

namespace wattproof::widgets {

enum class Approach {
    Pan,   // a step from one row to the next: the scale stays
    Jump,  // what is out of sight is shown with what is around it
};

// Selects the slice and, when its time is out of sight, brings it there. `key` as for QueryBridge::ask.
void goToSlice(Session &, const QObject *receiver, const std::string &key, SliceId, Approach = Approach::Jump);
// Selects the range on the track (none: on all). An instant moves the cursor there instead.
void goToRange(TimeView &, TimeRange, TrackId);

}  // namespace wattproof::widgets
