// The command line of DESIGN "Command line": headless commands and the window in one binary.
#pragma once

namespace wattproof::app {

enum ExitCode { kOk = 0, kFailed = 1, kUsage = 2, kGate = 3, kNotAvailable = 4 };

int run(int argc, char **argv);

}  // namespace wattproof::app
