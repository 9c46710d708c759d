// What scrolling a timeline of many tracks costs the interface thread a frame.
#pragma once

#include <QTemporaryDir>

namespace wattproof::bench {

// Makes a trace of so many tracks in the folder, and prints a line of the table; the exit code of the program.
int measureTracks(int tracks, const QTemporaryDir &folder);

}  // namespace wattproof::bench
