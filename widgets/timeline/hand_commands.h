// What can be done on the time axis with what is selected, by key and in the menu of the window.
#pragma once

#include <span>

#include <QKeySequence>
#include <QString>

namespace wattproof::widgets {

enum class HandCommand { Mark, KeepMark, SliceToArea, FlowBack, FlowAhead, CopyTime };

struct HandCommandEntry {
    HandCommand command;
    const char *name;  // of the action
    const char *text;  // to be translated in "HandCommands"
    int key;           // with modifiers

    [[nodiscard]] QString words() const;
    [[nodiscard]] QKeySequence keys() const { return QKeySequence(key); }
};

[[nodiscard]] std::span<const HandCommandEntry> handCommands();

}  // namespace wattproof::widgets
