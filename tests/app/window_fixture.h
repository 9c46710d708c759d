// The real window on small simulated files, in folders of its own: what every test of the window starts from.
#pragma once

#include "app/import_service.h"
#include "store/edits.h"
#include "store/reader.h"
#include "tests/simulator/simulator.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/window/banner.h"
#include "widgets/window/main_window.h"
#include "widgets/window/session_view.h"

#include <memory>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace wattproof::test {

struct RunFiles {
    QString trace, power;
    [[nodiscard]] QStringList both() const { return {trace, power}; }
};

// A run of about two seconds whose host keeps the device waiting. Written once for each program.
inline const RunFiles &simulatedRun() {
    static QTemporaryDir folder;
    static const RunFiles files = [] {
        auto config = *simulator::preset("host_orchestration");
        config.workload.iterations = 40;
        const auto written =
            simulator::writeFiles(simulator::simulate(config), folder.filePath("run").toStdString(), false);
        if (!written)
            qFatal("%s", written.error().sentence().c_str());
        return RunFiles{QString::fromStdString(written->trace), QString::fromStdString(written->power)};
    }();
    return files;
}

class WindowFixture {
public:
    explicit WindowFixture(std::shared_ptr<widgets::ImportService> service = nullptr)
        : service_(service ? std::move(service) : app::makeImportService()) {
        restart();
    }

    // Another start of the program on the same settings and cache.
    void restart() {
        window_.reset();
        window_ = std::make_unique<widgets::MainWindow>(
            service_, widgets::WindowOptions{folder_.filePath("settings.ini"), folder_.filePath("cache")});
        window_->resize(1280, 800);
        window_->show();
        settle();
    }

    // Waits until nothing runs and every pane has its answers.
    bool settle() {
        int looks = 0;
        return QTest::qWaitFor([&] { return (looks = window_->isSettled() ? looks + 1 : 0) > 3; }, 120'000);
    }

    bool open(const QStringList &paths) {
        window_->document().open(paths);
        return settle();
    }

    widgets::MainWindow *operator->() { return window_.get(); }
    widgets::MainWindow &window() { return *window_; }
    widgets::Session &session() { return *window_->document().session(); }
    widgets::SessionView &view() { return *window_->view(); }
    QString filePath(const QString &name) const { return folder_.filePath(name); }

    QString write(const QString &name, const QByteArray &bytes) {
        QFile file(filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
        return file.fileName();
    }

    void trigger(const QString &action) {
        window_->action(action)->trigger();
        settle();
    }

    bool bannerSays(const QString &part) {
        for (const QString &text : window_->banners().texts())
            if (text.contains(part, Qt::CaseInsensitive))
                return true;
        return false;
    }

    // The longest kernel of the run: wide enough to be hit with a mouse.
    store::KernelInterval longestKernel() {
        auto reader = session().workspace().reader();
        const auto table = (*reader)->kernels();
        store::KernelInterval longest;
        for (const store::KernelInterval &kernel : table->kernels)
            if (kernel.range.length() > longest.range.length())
                longest = kernel;
        return longest;
    }

    store::KernelInterval selectLongestKernel() {
        const store::KernelInterval kernel = longestKernel();
        widgets::Selection selection;
        selection.slice = kernel.slice;
        selection.range = kernel.range;
        selection.tracks = {kernel.track};
        session().view().select(selection);
        settle();
        return kernel;
    }

    std::int32_t rowOf(SliceId slice) {
        auto reader = session().workspace().reader();
        return (*reader)->slice(slice)->slice.row;
    }

    std::vector<store::Alignment> alignments() {
        session().edits().waitIdle();
        return session().workspace().edits().alignments().value_or(std::vector<store::Alignment>{});
    }

private:
    QTemporaryDir folder_;
    std::shared_ptr<widgets::ImportService> service_;
    std::unique_ptr<widgets::MainWindow> window_;
};

}  // namespace wattproof::test
