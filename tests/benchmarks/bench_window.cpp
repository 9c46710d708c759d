// bench_window WORKSPACE: opens the real window offscreen at 1920 × 1080, pans, zooms and jumps by script, scrolls
// a hundred and ten thousand tracks, and prints how long the first picture took, how long frames and new data take, the
// dearest event of the interface thread and the window's memory. Events and paintings are given in time of this
// thread's processor too. bench_window --overlay WORKSPACE [HOURS]: the same for the thermal overlay with all
// channels of 8 devices at 10 Hz (24 hours unless told; the workspace is made where there is none): what panning
// costs the interface thread a frame.
#include "tests/benchmarks/telemetry_day.h"
#include "tests/benchmarks/timed_window.h"
#include "tests/benchmarks/window_overlay.h"
#include "tests/benchmarks/window_script.h"
#include "tests/benchmarks/window_tracks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <QFile>

using namespace wattproof::bench;

int main(int argc, char **argv) {
    const bool overlay = argc > 2 && QByteArray(argv[1]) == "--overlay";
    if (!overlay && argc != 2) {
        std::fputs("usage: bench_window WORKSPACE | --overlay WORKSPACE [HOURS]\n", stderr);
        return 2;
    }
    const QTemporaryDir folder;
    useOffscreenScreen(folder);
    TimedApplication application(argc, argv);
    if (!overlay)
        return std::max({measureScript(application, QString::fromLocal8Bit(argv[1]), folder),
                         measureTracks(100, folder), measureTracks(10'000, folder)});
    const QString path = QString::fromLocal8Bit(argv[2]);
    if (!QFile::exists(path) && !writeTelemetryDay(path.toStdString(), argc > 3 ? std::atoi(argv[3]) : 24))
        return 1;
    return measureOverlay(path, folder);
}
