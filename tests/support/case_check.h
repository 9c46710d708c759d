// Compares an imported trace with the `expect` of a shared case (its README says how expectations read).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/import_trace.h"

namespace wattproof::test {

// What does not hold, one sentence each; empty when the trace is as expected.
std::vector<std::string> checkTraceCase(const ImportedTrace &, const nlohmann::json &expect);

}  // namespace wattproof::test
