#include "widgets/timeline/hand_commands.h"

#include <array>

#include <QCoreApplication>

namespace wattproof::widgets {
namespace {

const std::array kEntries{
    HandCommandEntry{HandCommand::Mark, "mark", QT_TRANSLATE_NOOP("HandCommands", "&Mark the selection, or not"),
                     Qt::Key_M},
    HandCommandEntry{HandCommand::KeepMark, "keep-mark", QT_TRANSLATE_NOOP("HandCommands", "&Keep the mark as a note"),
                     static_cast<int>(Qt::SHIFT) | Qt::Key_M},
    HandCommandEntry{HandCommand::SliceToArea, "slice-to-area",
                     QT_TRANSLATE_NOOP("HandCommands", "Make an &area of the slice"), Qt::Key_R},
    HandCommandEntry{HandCommand::FlowBack, "flow-back",
                     QT_TRANSLATE_NOOP("HandCommands", "Go &back along the flow: to what launched or fed the slice"),
                     Qt::Key_BracketLeft},
    HandCommandEntry{HandCommand::FlowAhead, "flow-ahead",
                     QT_TRANSLATE_NOOP("HandCommands", "Go a&head along the flow: to what the slice launched or fed"),
                     Qt::Key_BracketRight},
    HandCommandEntry{HandCommand::CopyTime, "copy-time",
                     QT_TRANSLATE_NOOP("HandCommands", "&Copy the cursor's time in nanoseconds"),
                     static_cast<int>(Qt::CTRL) | static_cast<int>(Qt::SHIFT) | Qt::Key_C},
};

}  // namespace

QString HandCommandEntry::words() const {
    return QCoreApplication::translate("HandCommands", text);
}

std::span<const HandCommandEntry> handCommands() {
    return kEntries;
}

}  // namespace wattproof::widgets
