// Figures in texts that are neither tables nor JSON documents: summaries of MLPerf's LoadGen, its log lines,
// accuracy reports, the reports of wrk and k6, and what a server's /metrics says.
#pragma once

#include "importers/requests/log_run.h"

namespace wattproof::importers::requests {

// By the shape of the run's rules.
[[nodiscard]] Status readText(LogRun &);

}  // namespace wattproof::importers::requests
