// bench_window WORKSPACE: opens the real window offscreen at 1920 × 1080, pans and zooms by script, and prints how
// long the first picture took, how long frames take, and the dearest event of the interface thread. Events and
// paintings are given in time of this thread's processor too: on a shared machine the clock counts the neighbours.
// bench_window --overlay WORKSPACE [HOURS]: the same for the thermal overlay with all channels of 8 devices at 10 Hz (24
// hours unless told; the workspace is made where there is none): what panning costs the interface thread a frame.
#include "app/import_service.h"
#include "tests/benchmarks/telemetry_day.h"
#include "widgets/overlay/overlay_pane.h"
#include "widgets/window/main_window.h"
#include "widgets/window/session_view.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <set>
#include <vector>

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>
#include <QWidget>

namespace {

using namespace wattproof;

constexpr int kWidth = 1920, kHeight = 1080;
constexpr int kSteps = 240;
constexpr int kFrameMs = 16, kQuietMs = 400, kLongestWaitMs = 60'000;

double threadCpuMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

struct Dearest {
    double cpuMs = 0, clockMs = 0;
    QByteArray receiver;
    int type = 0;
};

// Times every event the interface thread handles, and the paintings of the timeline.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    void reset() { dearest_ = {}; }
    [[nodiscard]] const Dearest &dearest() const { return dearest_; }
    [[nodiscard]] int paints() const { return static_cast<int>(paintMs_.size()); }
    [[nodiscard]] const std::vector<double> &paintMs() const { return paintMs_; }
    [[nodiscard]] const std::vector<double> &paintCpuMs() const { return paintCpuMs_; }

    bool notify(QObject *receiver, QEvent *event) override {
        QElapsedTimer timer;
        timer.start();
        const double cpuBefore = threadCpuMs();
        const int type = event->type();
        const bool paint = type == QEvent::Paint && isTimeline(*receiver);
        const QByteArray name = receiver->metaObject()->className();
        ++depth_;
        const bool handled = QApplication::notify(receiver, event);
        --depth_;
        const double ms = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
        const double cpuMs = threadCpuMs() - cpuBefore;
        if (depth_ == 0 && cpuMs > dearest_.cpuMs)
            dearest_ = {cpuMs, ms, name, type};
        if (paint) {
            paintMs_.push_back(ms);
            paintCpuMs_.push_back(cpuMs);
        }
        return handled;
    }

private:
    // By name: the pane is made by the window, and measured from its first painting on.
    static bool isTimeline(const QObject &object) {
        return QByteArray(object.metaObject()->className()).endsWith("TimelinePane");
    }

    Dearest dearest_;
    std::vector<double> paintMs_, paintCpuMs_;
    int depth_ = 0;
};

double elapsedMs(const QElapsedTimer &timer) {
    return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

// Handles events until the timeline has been painted once more, or the time is up.
bool waitForPaint(TimedApplication &application, int limitMs) {
    const int before = application.paints();
    QElapsedTimer timer;
    timer.start();
    while (application.paints() == before && timer.elapsed() < limitMs)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 5);
    return application.paints() != before;
}

void idleFor(int ms) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < ms)
        QApplication::processEvents(QEventLoop::AllEvents, 2);
}

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
    constexpr double kDeepest = 1e-5;
    const double progress = static_cast<double>(step) / (kSteps - 1);
    const double depth = progress < 0.4 ? progress / 0.4 : progress < 0.7 ? 1 : (1 - progress) / 0.3;
    const double share = std::pow(kDeepest, depth);
    const double width = static_cast<double>(extent.length()) * share;
    const double pan = progress < 0.4 ? 0 : progress < 0.7 ? (progress - 0.4) / 0.3 * 40 * width : 40 * width;
    const double centre = static_cast<double>(extent.begin) + 0.4 * static_cast<double>(extent.length()) + pan;
    return {static_cast<Ns>(centre - width / 2), static_cast<Ns>(centre + width / 2)};
}

double percentile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(1, rank) - 1];
}

void printPercentiles(const char *what, const std::vector<double> &values) {
    std::printf("%-44s p50 %6.1f   p95 %6.1f   p99 %6.1f   max %6.1f ms   (n = %zu)\n", what,
                percentile(values, 0.5), percentile(values, 0.95), percentile(values, 0.99), percentile(values, 1),
                values.size());
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

// An offscreen screen of the size that is measured; without it Qt's is 800 × 800.
void useOffscreenScreen(const QTemporaryDir &folder) {
    QFile file(folder.filePath(QStringLiteral("screen.json")));
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.write(QStringLiteral(
                   R"({"screens": [{"name": "bench", "x": 0, "y": 0, "width": %1, "height": %2, "logicalDpi": 96,
        "logicalBaseDpi": 96, "dpr": 1}]})")
                   .arg(kWidth)
                   .arg(kHeight)
                   .toUtf8());
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toUtf8());
}

widgets::WindowOptions optionsIn(const QTemporaryDir &folder) {
    widgets::WindowOptions options;
    options.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
    options.cacheFolder = folder.path();
    return options;
}

// Handles events as they come, and sleeps between them: looking for them again and again would count as work.
void restUntil(const QElapsedTimer &since, int ms) {
    const auto left = ms - since.elapsed();
    if (left <= 0)
        return;
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(left), Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

// Pans by a twentieth of what is visible every 16 ms. A frame is all that the interface thread did meanwhile, in time of
// the processor: all panes of the window, and answers of the store that arrived.
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

int runOverlay(const QString &workspace, const QTemporaryDir &folder) {
    widgets::MainWindow window(app::makeImportService(), optionsIn(folder));
    window.resize(kWidth, kHeight);
    window.show();
    window.document().open({workspace});
    QElapsedTimer opening;
    opening.start();
    while (opening.elapsed() < kLongestWaitMs && (!window.view() || window.view()->overlay()->channels().empty()))
        idleFor(20);
    if (!window.view())
        return 1;
    widgets::OverlayPane &overlay = *window.view()->overlay();
    std::set<DeviceId> all;
    const auto reader = window.document().session()->workspace().reader();
    if (!reader)
        return 1;
    if (const auto devices = (*reader)->devices())
        for (const DeviceRow &device : *devices)
            all.insert(device.id);
    overlay.chooseDevices(all);
    idleFor(3'000);
    std::printf("\nOverlay of %zu channels on %s at %d x %d: interface thread a frame of panning\n",
                overlay.channels().size(), qPrintable(workspace), kWidth, kHeight);
    widgets::TimeView &view = window.document().session()->view();
    panOverlay("6 h visible, domains stacked", view, 0.25);
    panOverlay("1 h visible, domains stacked", view, 1.0 / 24);
    panOverlay("1 min visible, domains stacked", view, 1.0 / 1440);
    return 0;
}

int runBenchmark(TimedApplication &application, const QString &workspace, const QTemporaryDir &folder) {
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
    return 0;
}

}  // namespace

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
        return runBenchmark(application, QString::fromLocal8Bit(argv[1]), folder);
    const QString path = QString::fromLocal8Bit(argv[2]);
    if (!QFile::exists(path) && !bench::writeTelemetryDay(path.toStdString(), argc > 3 ? std::atoi(argv[3]) : 24))
        return 1;
    return runOverlay(path, folder);
}
