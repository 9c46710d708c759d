// The units of work: requests, slices that the scenario names, or iterations found in the trace.
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

// '*' any text, '?' one character, '#*' a '#' with digits behind it.
[[nodiscard]] bool matchesUnitGlob(std::string_view glob, std::string_view name);

// A name with each run of digits replaced by '#': what repeated annotations have in common.
[[nodiscard]] std::string withoutNumbers(std::string_view name);

// Fills context.units ordered by end, and scenario.detected["unit"] and unitName when they were not stated.
[[nodiscard]] Status findUnits(store::Reader &, Context &, std::stop_token);

}  // namespace wattproof::analysis
