#include "tests/benchmarks/timed_window.h"

#include "app/import_service.h"
#include "widgets/window/session_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include <QEvent>
#include <QEventLoop>
#include <QFile>
#include <QTimer>

namespace wattproof::bench {
namespace {

constexpr int kLongestWaitMs = 60'000;

// By name: the pane is made by the window, and measured from its first painting on.
bool isTimeline(const QObject &object) {
    return QByteArray(object.metaObject()->className()).endsWith("TimelinePane");
}

double percentile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(1, rank) - 1];
}

}  // namespace

double threadCpuMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double elapsedMs(const QElapsedTimer &timer) {
    return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

bool TimedApplication::notify(QObject *receiver, QEvent *event) {
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

void restUntil(const QElapsedTimer &since, int ms) {
    const auto left = ms - since.elapsed();
    if (left <= 0)
        return;
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(left), Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

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

void printPercentiles(const char *what, const std::vector<double> &values) {
    std::printf("%-44s p50 %6.1f   p95 %6.1f   p99 %6.1f   max %6.1f ms   (n = %zu)\n", what,
                percentile(values, 0.5), percentile(values, 0.95), percentile(values, 0.99), percentile(values, 1),
                values.size());
}

std::unique_ptr<widgets::MainWindow> openWindow(const QString &workspace, const QTemporaryDir &folder) {
    auto window = std::make_unique<widgets::MainWindow>(app::makeImportService(), optionsIn(folder));
    window->resize(kWidth, kHeight);
    window->show();
    window->document().open({workspace});
    QElapsedTimer opening;
    opening.start();
    while (opening.elapsed() < kLongestWaitMs && !window->view())
        idleFor(20);
    if (window->view())
        return window;
    std::fputs("The workspace did not open within a minute.\n", stderr);
    return nullptr;
}

}  // namespace wattproof::bench
