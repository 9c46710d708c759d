// What this build calls itself: written into every workspace, document and report.
#pragma once

namespace wattproof {

[[nodiscard]] const char *toolVersion();    // "0.1.0"
[[nodiscard]] const char *buildData();      // "Release, GNU 12.2.0, SQLite 3.40.1"

}  // namespace wattproof
