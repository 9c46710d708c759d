// A note that the user writes somewhere in the window: the same act wherever it begins.
#pragma once

#include "widgets/session.h"

#include <QString>

namespace wattproof::widgets {

struct NewNote {
    TimeRange range;  // empty: an instant
    TrackId track;    // none: the whole timeline
    QString text;
    QString findingKey;
};

// An edit, signed with the user's name and the time.
void addNote(Session &, const NewNote &);

}  // namespace wattproof::widgets
