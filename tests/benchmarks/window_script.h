// A scripted session on the real window: opening, panning and zooming through all levels, jumps, memory.
#pragma once

#include <QString>
#include <QTemporaryDir>

namespace wattproof::bench {

class TimedApplication;

// Prints the table; the exit code of the program.
int measureScript(TimedApplication &, const QString &workspace, const QTemporaryDir &folder);

}  // namespace wattproof::bench
