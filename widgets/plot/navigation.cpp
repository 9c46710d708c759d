#include "widgets/plot/navigation.h"

#include <cmath>
#include <map>

namespace wattproof::widgets {
namespace {

constexpr double kZoomStep = 0.8;
constexpr double kSelectionMargin = 0.15;

Ns zoomAnchor(const TimeView &view) {
    const TimeRange visible = view.visible();
    if (view.cursor() && visible.contains(*view.cursor()))
        return *view.cursor();
    return visible.begin + visible.length() / 2;
}

// Shows the selection; when it fills the view already, everything.
void focus(TimeView &view) {
    const TimeRange before = view.visible();
    if (!view.selection().isEmpty())
        view.fit(view.selection().range, kSelectionMargin);
    if (view.visible() == before)
        view.fitAll();
}

}  // namespace

std::optional<NavigationCommand> navigationFor(int key, Qt::KeyboardModifiers modifiers) {
    using enum NavigationCommand;
    static const std::map<int, NavigationCommand> commands{{Qt::Key_W, ZoomIn},
                                                           {Qt::Key_S, ZoomOut},
                                                           {Qt::Key_A, PanLeft},
                                                           {Qt::Key_D, PanRight},
                                                           {Qt::Key_Left, PanLeft},
                                                           {Qt::Key_Right, PanRight},
                                                           {Qt::Key_Up, ScrollUp},
                                                           {Qt::Key_Down, ScrollDown},
                                                           {Qt::Key_PageUp, PageUp},
                                                           {Qt::Key_PageDown, PageDown},
                                                           {Qt::Key_F, FocusSelection},
                                                           {Qt::Key_Z, FitAll},
                                                           {Qt::Key_Plus, ZoomIn},
                                                           {Qt::Key_Equal, ZoomIn},
                                                           {Qt::Key_Minus, ZoomOut},
                                                           {Qt::Key_Escape, ClearSelection},
                                                           {Qt::Key_Comma, PreviousSlice},
                                                           {Qt::Key_Period, NextSlice}};
    if (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return std::nullopt;
    const auto found = commands.find(key);
    return found == commands.end() ? std::nullopt : std::optional(found->second);
}

bool navigate(TimeView &view, NavigationCommand command) {
    const Ns step = std::max<Ns>(1, view.visible().length() / 8);
    switch (command) {
        case NavigationCommand::ZoomIn:
            view.zoomAround(zoomAnchor(view), kZoomStep);
            return true;
        case NavigationCommand::ZoomOut:
            view.zoomAround(zoomAnchor(view), 1 / kZoomStep);
            return true;
        case NavigationCommand::PanLeft:
            view.panBy(-step);
            return true;
        case NavigationCommand::PanRight:
            view.panBy(step);
            return true;
        case NavigationCommand::FocusSelection:
            focus(view);
            return true;
        case NavigationCommand::FitAll:
            view.fitAll();
            return true;
        case NavigationCommand::ClearSelection:
            view.clearSelection();
            return true;
        default:
            return false;
    }
}

double wheelZoom(int angle) {
    return std::pow(kZoomStep, angle / 120.0);
}

}  // namespace wattproof::widgets
