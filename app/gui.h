// The window as a command: starts Qt, opens files, and in screenshot mode saves the filled window as a picture.
#pragma once

#include <string>
#include <vector>

namespace wattproof::app {

struct GuiOptions {
    std::string screenshotPath;  // PNG to write once every pane is filled; empty: none
    int width = 0, height = 0;   // of the window in logical pixels; 0: as it was left; of a picture 1440 × 900
    std::string theme;           // "light", "dark", "system"; empty: as it was left
    bool quitAfterScreenshot = true;
};

// Opens the files (traces and logs are imported together, a workspace is opened; none: the welcome page) and
// returns the exit code. Without a display it says so in one sentence, but for screenshots, which need none.
int runWindow(int argc, char **argv, const std::vector<std::string> &files, const GuiOptions &options);

}  // namespace wattproof::app
