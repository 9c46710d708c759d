#include "tests/benchmarks/window_overlay.h"

#include "tests/benchmarks/timed_window.h"
#include "widgets/overlay/overlay_pane.h"
#include "widgets/window/session_view.h"

#include <cstdio>
#include <set>

namespace wattproof::bench {
namespace {

constexpr int kSteps = 240;

// Pans by a twentieth of what is visible every 16 ms. A frame is all that the interface thread did meanwhile, in
// time of the processor: all panes of the window, and answers of the store that arrived.
void panOverlay(const char *what, widgets::TimeView &view, double share) {
    const TimeRange extent = view.extent();
    const auto width = static_cast<Ns>(static_cast<double>(extent.length()) * share);
    view.setVisible({extent.begin, extent.begin + width});
    idleFor(1'500);
    std::vector<double> frames;
    int way = 1;  // back and forth inside the log
    for (int step = 0; step < kSteps; ++step) {
        QElapsedTimer frame;
        frame.start();
        const double before = threadCpuMs();
        const TimeRange next{view.visible().begin + way * (width / 20), view.visible().end + way * (width / 20)};
        if (next.begin < extent.begin || next.end > extent.end)
            way = -way;
        view.panBy(way * (width / 20));
        restUntil(frame, kFrameMs);
        frames.push_back(threadCpuMs() - before);
    }
    printPercentiles(what, frames);
}

}  // namespace

int measureOverlay(const QString &workspace, const QTemporaryDir &folder) {
    const auto window = openWindow(workspace, folder);
    if (!window)
        return 1;
    widgets::OverlayPane &overlay = *window->view()->overlay();
    std::set<DeviceId> all;
    const auto reader = window->document().session()->workspace().reader();
    if (!reader)
        return 1;
    if (const auto devices = (*reader)->devices())
        for (const DeviceRow &device : *devices)
            all.insert(device.id);
    overlay.chooseDevices(all);
    idleFor(3'000);
    std::printf("\nOverlay of %zu channels on %s at %d x %d: interface thread a frame of panning\n",
                overlay.channels().size(), qPrintable(workspace), kWidth, kHeight);
    widgets::TimeView &view = window->document().session()->view();
    panOverlay("6 h visible, domains stacked", view, 0.25);
    panOverlay("1 h visible, domains stacked", view, 1.0 / 24);
    panOverlay("1 min visible, domains stacked", view, 1.0 / 1440);
    return 0;
}

}  // namespace wattproof::bench
