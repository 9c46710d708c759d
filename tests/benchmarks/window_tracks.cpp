#include "tests/benchmarks/window_tracks.h"

#include "tests/benchmarks/import_file.h"
#include "tests/benchmarks/timed_window.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/window/session_view.h"

#include <cstdio>
#include <fstream>
#include <string>

#include <QKeyEvent>

namespace wattproof::bench {
namespace {

constexpr int kSlicesOfATrack = 20, kSteps = 120;

bool writeTracks(const std::string &path, int tracks) {
    std::ofstream file(path);
    file << "[";
    for (int track = 0; track < tracks; ++track)
        for (int slice = 0; slice < kSlicesOfATrack; ++slice)
            file << (track + slice == 0 ? "" : ",\n") << R"({"ph": "X", "pid": )" << track / 100 << R"(, "tid": )"
                 << track << R"(, "name": "work )" << slice % 7 << R"(", "ts": )" << slice * 100 + track % 50
                 << R"(, "dur": 60})";
    file << "]\n";
    return file.good();
}

// What the interface thread does for one press of a key that scrolls, in time of the processor.
std::vector<double> scrollThrough(widgets::TimelinePane &timeline) {
    std::vector<double> frames;
    for (int step = 0; step < kSteps; ++step) {
        QElapsedTimer frame;
        frame.start();
        const double before = threadCpuMs();
        const bool down = step / 20 % 2 == 0;
        QKeyEvent press(QEvent::KeyPress, down ? Qt::Key_PageDown : Qt::Key_PageUp, Qt::NoModifier);
        QApplication::sendEvent(&timeline, &press);
        restUntil(frame, kFrameMs);
        frames.push_back(threadCpuMs() - before);
    }
    return frames;
}

}  // namespace

int measureTracks(int tracks, const QTemporaryDir &folder) {
    const QString name = folder.filePath(QStringLiteral("tracks-%1").arg(tracks));
    const std::string trace = (name + QStringLiteral(".json")).toStdString();
    const QString workspace = name + QStringLiteral(".wattproof");
    if (!writeTracks(trace, tracks) || importFile(trace, workspace.toStdString()) < 0)
        return 1;
    const auto window = openWindow(workspace, folder);
    if (!window)
        return 1;
    idleFor(1'500);
    widgets::TimelinePane &timeline = *window->view()->timeline();
    for (int node = 0; node < static_cast<int>(timeline.tree().nodes.size()); ++node)
        timeline.setCollapsed(node, false);
    idleFor(500);
    const std::string title = "scrolling " + std::to_string(tracks) + " tracks by pages";
    printPercentiles(title.c_str(), scrollThrough(timeline));
    return 0;
}

}  // namespace wattproof::bench
