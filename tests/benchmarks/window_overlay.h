// What panning the thermal overlay costs the interface thread a frame, with all channels of all devices.
#pragma once

#include <QString>
#include <QTemporaryDir>

namespace wattproof::bench {

// Prints the table; the exit code of the program.
int measureOverlay(const QString &workspace, const QTemporaryDir &folder);

}  // namespace wattproof::bench
