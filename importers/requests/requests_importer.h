// Request and latency logs, and results of evaluations, by the rules in resources/requests (log_rules.h).
#pragma once

#include "importers/importer.h"
#include "importers/requests/log_rules.h"

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeRequestsImporter();
[[nodiscard]] std::unique_ptr<Importer> makeQualityImporter();

namespace requests {

// By rules that are known.
[[nodiscard]] Expected<Summary> importLog(Input &, store::BulkWriter &, const Options &, const Task &,
                                          const LogRules &);

}  // namespace requests

}  // namespace wattproof::importers
