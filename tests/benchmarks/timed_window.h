// The real window on an offscreen screen, with every event of the interface thread timed.
#pragma once

#include "widgets/window/main_window.h"

#include <memory>
#include <vector>

#include <QApplication>
#include <QByteArray>
#include <QElapsedTimer>
#include <QTemporaryDir>

namespace wattproof::bench {

inline constexpr int kWidth = 1920, kHeight = 1080;
inline constexpr int kFrameMs = 16;

// Processor time of the calling thread: on a shared machine the clock counts the neighbours.
[[nodiscard]] double threadCpuMs();
[[nodiscard]] double elapsedMs(const QElapsedTimer &);

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

    bool notify(QObject *receiver, QEvent *event) override;

private:
    Dearest dearest_;
    std::vector<double> paintMs_, paintCpuMs_;
    int depth_ = 0;
};

// Handles events until the timeline has been painted once more, or the time is up.
bool waitForPaint(TimedApplication &, int limitMs);
void idleFor(int ms);
// Handles events as they come, and sleeps between them: looking for them again and again would count as work.
void restUntil(const QElapsedTimer &since, int ms);

// An offscreen screen of the size that is measured; without it Qt's is 800 × 800. To be called before the
// application.
void useOffscreenScreen(const QTemporaryDir &);

// A window of that size on a workspace; null, with the reason on stderr, when it does not show a session in a
// minute.
[[nodiscard]] std::unique_ptr<widgets::MainWindow> openWindow(const QString &workspace,
                                                              const QTemporaryDir &folder);
[[nodiscard]] widgets::WindowOptions optionsIn(const QTemporaryDir &);

void printPercentiles(const char *what, const std::vector<double> &values);

}  // namespace wattproof::bench
