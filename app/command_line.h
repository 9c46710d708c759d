// The command line: headless commands and the window in one binary (docs/cli.md).
#pragma once

namespace wattproof::app {

// 0 ok (also an import with warnings), 1 failed, 2 usage, 3 a gate or drift, 4 not available in this build.
enum ExitCode { kOk = 0, kFailed = 1, kUsage = 2, kGate = 3, kNotAvailable = 4 };

int run(int argc, char **argv);

}  // namespace wattproof::app
