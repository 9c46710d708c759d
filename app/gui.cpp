#include "app/gui.h"

#include "app/command_line.h"
#include "app/import_service.h"
#include "widgets/panes/findings_pane.h"
#include "widgets/window/banner.h"
#include "widgets/window/main_window.h"
#include "widgets/window/session_view.h"

#include <cstdio>
#include <cstdlib>

#include <QApplication>
#include <QPixmap>
#include <QTimer>

namespace wattproof::app {
namespace {

constexpr int kPollMs = 50;
// Questions lead to questions (an extent to lanes, a selection to details): the window must be settled this many
// looks in a row.
constexpr int kSettledLooks = 6;

constexpr QSize kPictureSize{1440, 900};

bool isSet(const char *variable) {
    const char *value = std::getenv(variable);
    return value && *value;
}

bool hasDisplay() {
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
}

// The offscreen platform says at every layout what it cannot do; nobody who asked for a picture needs to know.
void dropPlatformChatter(QtMsgType type, const QMessageLogContext &context, const QString &message) {
    if (message.startsWith(QLatin1String("This plugin does not support")))
        return;
    std::fprintf(stderr, "%s\n", qFormatLogMessage(type, context, message).toLocal8Bit().constData());
}

// Takes the picture once the window is settled, then leaves the event loop with the exit code.
class Photographer : public QObject {
public:
    // opensFiles: a window that shows none of them is a failure, though its picture tells why.
    Photographer(widgets::MainWindow &window, const GuiOptions &options, bool opensFiles)
        : window_(window), options_(options), opensFiles_(opensFiles) {
        connect(&timer_, &QTimer::timeout, this, &Photographer::look);
        timer_.start(kPollMs);
    }

private:
    void look() {
        settled_ = window_.isSettled() ? settled_ + 1 : 0;
        if (settled_ < kSettledLooks)
            return;
        if (!posed_) {
            pose();
            return;
        }
        timer_.stop();
        take();
    }

    // With the first finding selected every pane has something to show.
    void pose() {
        posed_ = true;
        settled_ = 0;
        if (widgets::SessionView *view = window_.view())
            view->findings()->showFirst();
    }

    void take() {
        const QString path = QString::fromStdString(options_.screenshotPath);
        const bool saved = window_.grab().save(path, "PNG");
        if (!saved)
            std::fprintf(stderr, "The screenshot cannot be written (%s): choose another folder.\n",
                         options_.screenshotPath.c_str());
        for (const QString &text : window_.banners().texts())
            std::fprintf(stderr, "%s\n", text.toUtf8().constData());
        if (options_.quitAfterScreenshot)
            QApplication::exit(saved && (window_.document().session() || !opensFiles_) ? kOk : kFailed);
    }

    widgets::MainWindow &window_;
    GuiOptions options_;
    QTimer timer_;
    int settled_ = 0;
    bool posed_ = false;
    bool opensFiles_;
};

// A picture is taken without questions.
void open(widgets::MainWindow &window, const std::vector<std::string> &files, bool ask) {
    QStringList paths;
    for (const std::string &file : files)
        paths << QString::fromStdString(file);
    if (ask)
        window.document().offer(paths, widgets::Way::Open);
    else
        window.document().open(paths);
}

}  // namespace

int runWindow(int argc, char **argv, const std::vector<std::string> &files, const GuiOptions &options) {
    if (!hasDisplay()) {
        if (options.screenshotPath.empty()) {
            std::fputs(
                "There is no display to open a window on: set DISPLAY, or use a command such as `wattproof "
                "report`.\n",
                stderr);
            return kFailed;
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(dropPlatformChatter);
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("wattproof"));
    QApplication::setApplicationDisplayName(QStringLiteral("Wattproof"));
    widgets::MainWindow window(makeImportService());
    if (!options.theme.empty())
        window.chooseTheme(widgets::themeChoiceFromWord(QString::fromStdString(options.theme)));
    if (options.width > 0 && options.height > 0)
        window.resize(options.width, options.height);
    else if (!options.screenshotPath.empty())
        window.resize(kPictureSize);  // whatever screen there is, or none
    window.show();
    open(window, files, options.screenshotPath.empty());
    if (options.screenshotPath.empty())
        return QApplication::exec();
    const Photographer photographer(window, options, !files.empty());
    return QApplication::exec();
}

}  // namespace wattproof::app
