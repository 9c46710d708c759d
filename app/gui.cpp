#include "app/gui.h"

#include <cstdio>
#include <cstdlib>

#include <QApplication>
#include <QTimer>

#include "app/command_line.h"
#include "app/import_service.h"
#include "widgets/window/main_window.h"

namespace wattproof::app {
namespace {

bool isSet(const char *variable) {
    const char *value = std::getenv(variable);
    return value && *value;
}

bool hasDisplay() {
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
}

}  // namespace

int runWindow(int argc, char **argv, const std::vector<std::string> &files, const GuiOptions &options) {
    if (!hasDisplay()) {
        if (options.screenshotPath.empty()) {
            std::fputs("There is no display to open a window on: set DISPLAY, or use a command such as `wattproof report`.\n",
                       stderr);
            return kFailed;
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    widgets::MainWindow window(makeImportService());
    window.show();
    (void)files;
    return QApplication::exec();
}

}  // namespace wattproof::app
