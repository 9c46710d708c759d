// JSON documents of the command line that are not the analysis itself (docs/cli.md).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/alignment/align.h"
#include "importers/session.h"
#include "store/reader.h"
#include "widgets/import_service.h"

namespace wattproof::app {

inline constexpr int kDocumentVersion = 1;

[[nodiscard]] nlohmann::json importJson(const importers::SessionSummary &, const std::vector<analysis::SourceAlignment> &,
                                        const std::string &output);
[[nodiscard]] nlohmann::json alignmentJson(const std::vector<analysis::SourceAlignment> &);
[[nodiscard]] Expected<nlohmann::json> infoJson(store::Reader &, const std::string &path);
[[nodiscard]] nlohmann::json sourcesJson(const std::vector<widgets::SourceEntry> &, const std::string &path);
// "16 requests (1 failed, 0 without times), 0 quality metrics"; empty where there are neither.
[[nodiscard]] std::string countsText(const RequestCounts &);
// "offset +1.25 s ± 50 ms by correlation, confidence 97 %", or "not aligned: why".
[[nodiscard]] std::string alignmentText(const analysis::SourceAlignment &);

}  // namespace wattproof::app
