// Sections of the HTML report, in the order in which they stand.
#pragma once

#include "report/html/markup.h"
#include "report/report.h"

namespace wattproof::report {

[[nodiscard]] const char *pageStyle();

[[nodiscard]] Markup headlineSection(const Report &);
[[nodiscard]] Markup headerSection(const Report &);
[[nodiscard]] Markup energySection(const Report &);
[[nodiscard]] Markup timelineSection(const Report &);
[[nodiscard]] Markup rankingSection(const Report &);
[[nodiscard]] Markup findingSections(const Report &, const PictureFn &);
[[nodiscard]] Markup comparisonSection(const Report &);      // empty without a baseline
[[nodiscard]] Markup planSection(const Report &);
[[nodiscard]] Markup matrixSection(const Report &);
[[nodiscard]] Markup contradictionsSection(const Report &);
[[nodiscard]] Markup annotationsSection(const Report &);
[[nodiscard]] Markup warningsSection(const Report &);
[[nodiscard]] Markup appendixSection(const Report &);

// Shared with the Markdown renderer.
[[nodiscard]] std::string gainText(const std::optional<analysis::Interval> &);
[[nodiscard]] std::string fileName(const std::string &path);

}  // namespace wattproof::report
