// The evidence range of a finding as the timeline shows it, for reports.
#pragma once

#include "report/draw/hatch.h"
#include "report/draw/theme.h"
#include "store/reader.h"

#include <string>
#include <vector>

#include <QSize>

namespace wattproof::draw {

// An SVG fragment (no XML prolog) of accelerator streams, the busiest host thread and power with its gaps, under a
// ruler and over a legend, with clamps hatched. `size` is its width and the least height; rows make it as tall as
// they need. Names are hostile: they arrive escaped and without control characters. Empty when the range is. Needs
// a QGuiApplication, for its fonts.
[[nodiscard]] std::string evidenceSvg(store::Reader &, TimeRange, const std::vector<std::string> &tracks,
                                      const Theme &, QSize size, const std::vector<ClampMark> &clamps = {});

}  // namespace wattproof::draw
