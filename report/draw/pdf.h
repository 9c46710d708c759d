// The report as PDF: the HTML sections laid out in pages by Qt's rich text, pictures rendered from their SVG.
#pragma once

#include "report/report.h"

namespace wattproof::draw {

// Needs a QGuiApplication. A4 portrait, 15 mm margins. Errors: the file cannot be written.
[[nodiscard]] Status writePdf(const report::Report &, const report::PictureFn &, const std::string &path);

}  // namespace wattproof::draw
