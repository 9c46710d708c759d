// What can be done to a track: by key, in the menu of the window and in that of the gutter, under the same words.
#pragma once

#include <span>

#include <QKeySequence>
#include <QString>

namespace wattproof::widgets {

enum class TrackCommand {
    Pin,
    Hide,
    ShowHidden,
    Collapse,
    MoveUp,
    MoveDown,
    Taller,
    Lower,
    UsualHeight,
    Note,
    Previous,
    Next,
    NaturalOrder,
};

struct TrackCommandEntry {
    TrackCommand command;
    const char *name;  // of the action
    const char *text;  // to be translated in "TrackCommands"
    int key;           // with modifiers; 0: none

    [[nodiscard]] QString words() const;
    [[nodiscard]] QKeySequence keys() const { return key == 0 ? QKeySequence() : QKeySequence(key); }
};

[[nodiscard]] std::span<const TrackCommandEntry> trackCommands();

}  // namespace wattproof::widgets
