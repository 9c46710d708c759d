// What keys and wheel mean in every pane on the time axis, as data: the panes only carry it out.
#pragma once

#include "widgets/time_view.h"

#include <optional>

#include <Qt>

namespace wattproof::widgets {

enum class NavigationCommand {
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    ScrollUp,
    ScrollDown,
    PageUp,
    PageDown,
    FocusSelection,
    FitAll,
    ClearSelection,
    PreviousSlice,
    NextSlice,
};

// W/S zoom, A/D and arrows move, F focuses, Z shows the main part of the run and then all, Escape clears, ',' and '.'
// step through slices.
[[nodiscard]] std::optional<NavigationCommand> navigationFor(int key, Qt::KeyboardModifiers);

// Carries out what concerns the time axis. Zoom turns about the cursor where it is in sight, else about the
// middle. False: not a command of the axis (scrolling and stepping belong to the pane).
bool navigate(TimeView &, NavigationCommand);

// Zoom factor of a wheel turn in eighths of a degree: one notch (120) is a fifth.
[[nodiscard]] double wheelZoom(int angle);

}  // namespace wattproof::widgets
