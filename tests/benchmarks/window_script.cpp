#include "tests/benchmarks/window_script.h"

#include "app/import_service.h"
#include "tests/benchmarks/timed_window.h"
#include "widgets/session.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>

namespace wattproof::bench {
namespace {

constexpr int kSteps = 240, kJumps = 80;
constexpr int kQuietMs = 400, kLongestWaitMs = 60'000;
constexpr double kDeepest = 1e-5;  // of the run's length

// Time of the last painting before the timeline stands still and the window has nothing left to ask. It is asked
// only when it looks done, since asking waits for what runs; twice, since answers then still wait to be delivered.
double settledMs(const TimedApplication &application, widgets::MainWindow &window,
                 const QElapsedTimer &sinceOpen) {
    double last = elapsedMs(sinceOpen);
    QElapsedTimer quiet;
    quiet.start();
    int settledLooks = 0;
    for (int seen = application.paints(); settledLooks < 2 && sinceOpen.elapsed() < kLongestWaitMs;) {
        idleFor(2);
        if (application.paints() != seen) {
            seen = application.paints();
            last = elapsedMs(sinceOpen);
            settledLooks = 0;
            quiet.restart();
        } else if (quiet.elapsed() >= kQuietMs) {
            settledLooks = window.isSettled() ? settledLooks + 1 : 0;
            quiet.restart();
        }
    }
    return last;
}

// In from the whole trace to a hundred-thousandth of it, across, and out again.
TimeRange rangeOfStep(TimeRange extent, int step) {
    const double progress = static_cast<double>(step) / (kSteps - 1);
    const double depth = progress < 0.4 ? progress / 0.4 : progress < 0.7 ? 1 : (1 - progress) / 0.3;
    const double share = std::pow(kDeepest, depth);
    const double width = static_cast<double>(extent.length()) * share;
    const double pan = progress < 0.4 ? 0 : progress < 0.7 ? (progress - 0.4) / 0.3 * 40 * width : 40 * width;
    const double centre = static_cast<double>(extent.begin) + 0.4 * static_cast<double>(extent.length()) + pan;
    return {static_cast<Ns>(centre - width / 2), static_cast<Ns>(centre + width / 2)};
}

void printDearest(const char *when, const Dearest &event) {
    std::printf(
        "dearest event of the interface thread, %-12s %6.1f ms of processor, %6.1f ms by the clock (%s, type "
        "%d)\n",
        when, event.cpuMs, event.clockMs, event.receiver.constData(), event.type);
}

std::vector<double> from(const std::vector<double> &values, std::size_t first) {
    return {values.begin() + static_cast<std::ptrdiff_t>(first), values.end()};
}

// From the change of the visible range to the end of the painting that shows it.
std::vector<double> runScript(TimedApplication &application, widgets::TimeView &view) {
    std::vector<double> frames;
    const TimeRange extent = view.extent();
    for (int step = 0; step < kSteps; ++step) {
        QElapsedTimer frame;
        frame.start();
        view.setVisible(rangeOfStep(extent, step));
        if (waitForPaint(application, 2'000))
            frames.push_back(elapsedMs(frame));
        idleFor(std::max(1, kFrameMs - static_cast<int>(frame.elapsed())));
    }
    return frames;
}

// From a jump to another place and another zoom to the painting that shows all its data.
std::vector<double> runJumps(TimedApplication &application, widgets::Session &session) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(0, 1);
    widgets::TimeView &view = session.view();
    const TimeRange extent = view.extent();
    std::vector<double> arrivals;
    for (int jump = 0; jump < kJumps; ++jump) {
        const double width = static_cast<double>(extent.length()) * std::pow(kDeepest, share(random));
        const double begin =
            static_cast<double>(extent.begin) + share(random) * (static_cast<double>(extent.length()) - width);
        QElapsedTimer since;
        since.start();
        view.setVisible({static_cast<Ns>(begin), static_cast<Ns>(begin + width)});
        waitForPaint(application, 2'000);  // asks for what is missing
        while (!session.queries().service().isIdle() && since.elapsed() < kLongestWaitMs)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 1);
        QApplication::processEvents();  // what arrived last is taken, and painted
        arrivals.push_back(elapsedMs(since));
        idleFor(kFrameMs);
    }
    return arrivals;
}

// Of the memory that is the process's own; pages of the workspace in the page cache are not.
double ownMegabytes() {
    std::ifstream status("/proc/self/status");
    std::string key;
    long kilobytes = 0;
    while (status >> key)
        if (key == "RssAnon:" && status >> kilobytes)
            break;
    return static_cast<double>(kilobytes) * 1024 / 1e6;
}

}  // namespace

int measureScript(TimedApplication &application, const QString &workspace, const QTemporaryDir &folder) {
    widgets::MainWindow window(app::makeImportService(), optionsIn(folder));
    window.resize(kWidth, kHeight);
    window.show();
    idleFor(200);

    QElapsedTimer sinceOpen;
    application.reset();
    sinceOpen.start();
    window.document().open({workspace});
    if (!waitForPaint(application, kLongestWaitMs)) {
        std::fputs("The timeline was not painted: is this a workspace with slices?\n", stderr);
        return 1;
    }
    const double firstMs = elapsedMs(sinceOpen);
    const double completeMs = settledMs(application, window, sinceOpen);
    std::printf("\nWindow on %s at %d x %d\n", qPrintable(workspace), kWidth, kHeight);
    std::printf(
        "open to first painting of the timeline %13.0f ms\nopen to its last painting before standing still %5.0f "
        "ms\n",
        firstMs, completeMs);
    printDearest("opening", application.dearest());

    if (window.document().session()->view().extent().empty()) {
        std::fputs("The extent of the workspace was not known after a minute.\n", stderr);
        return 1;
    }
    application.reset();
    const std::size_t paintsBefore = application.paintMs().size();
    const std::vector<double> frames = runScript(application, window.document().session()->view());
    printPercentiles("frame (range change to painted)", frames);
    printPercentiles("painting of the timeline alone", from(application.paintMs(), paintsBefore));
    printPercentiles("- in time of the processor", from(application.paintCpuMs(), paintsBefore));
    printDearest("pan and zoom", application.dearest());
    printPercentiles("data for a new view, jump to painted", runJumps(application, *window.document().session()));
    std::printf("memory of the window beyond the page cache %13.0f MB\n", ownMegabytes());
    return 0;
}

}  // namespace wattproof::bench
