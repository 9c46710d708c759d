#include "widgets/timeline/track_commands.h"

#include <array>

#include <QCoreApplication>

namespace wattproof::widgets {
namespace {

using enum TrackCommand;

const std::array kEntries{
    TrackCommandEntry{Pin, "track-pin", QT_TRANSLATE_NOOP("TrackCommands", "&Pin or unpin track"), Qt::Key_P},
    TrackCommandEntry{Hide, "track-hide", QT_TRANSLATE_NOOP("TrackCommands", "&Hide track, or show it again"),
                      Qt::Key_H},
    TrackCommandEntry{ShowHidden, "tracks-show-hidden",
                      QT_TRANSLATE_NOOP("TrackCommands", "&Show hidden tracks, or not"),
                      static_cast<int>(Qt::SHIFT) | Qt::Key_H},
    TrackCommandEntry{Collapse, "track-collapse", QT_TRANSLATE_NOOP("TrackCommands", "&Collapse or open track"),
                      Qt::Key_O},
    TrackCommandEntry{MoveUp, "track-up", QT_TRANSLATE_NOOP("TrackCommands", "Move track &up"),
                      static_cast<int>(Qt::ALT) | Qt::Key_Up},
    TrackCommandEntry{MoveDown, "track-down", QT_TRANSLATE_NOOP("TrackCommands", "Move track &down"),
                      static_cast<int>(Qt::ALT) | Qt::Key_Down},
    TrackCommandEntry{Taller, "track-taller", QT_TRANSLATE_NOOP("TrackCommands", "&Taller track"),
                      static_cast<int>(Qt::ALT) | Qt::Key_Plus},
    TrackCommandEntry{Lower, "track-lower", QT_TRANSLATE_NOOP("TrackCommands", "&Lower track"),
                      static_cast<int>(Qt::ALT) | Qt::Key_Minus},
    TrackCommandEntry{UsualHeight, "track-usual-height",
                      QT_TRANSLATE_NOOP("TrackCommands", "&Usual height of the track"),
                      static_cast<int>(Qt::ALT) | Qt::Key_0},
    TrackCommandEntry{Note, "track-note", QT_TRANSLATE_NOOP("TrackCommands", "&Note on track…"),
                      static_cast<int>(Qt::SHIFT) | Qt::Key_N},
    TrackCommandEntry{Previous, "track-previous", QT_TRANSLATE_NOOP("TrackCommands", "Go to the track &above"),
                      static_cast<int>(Qt::CTRL) | Qt::Key_Up},
    TrackCommandEntry{Next, "track-next", QT_TRANSLATE_NOOP("TrackCommands", "Go to the track &below"),
                      static_cast<int>(Qt::CTRL) | Qt::Key_Down},
    TrackCommandEntry{NaturalOrder, "tracks-natural-order",
                      QT_TRANSLATE_NOOP("TrackCommands", "All tracks as the file has &them"), 0},
};

}  // namespace

QString TrackCommandEntry::words() const {
    return QCoreApplication::translate("TrackCommands", text);
}

std::span<const TrackCommandEntry> trackCommands() {
    return kEntries;
}

}  // namespace wattproof::widgets
