// Build and run-time metadata for the head of a report. What is unknown stays in the list, with an empty value.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "store/reader.h"

namespace wattproof::report {

[[nodiscard]] Expected<std::vector<HeaderField>> buildHeader(store::Reader &, const analysis::AnalysisResult &);

// First metadata value whose key is one of `names`, or ends with "." + one of them; case is ignored. In order of `names`.
struct FoundValue {
    std::string value, key;
    SourceId source;
};
[[nodiscard]] std::optional<FoundValue> findMetadata(const std::vector<MetadataRow> &, const std::vector<std::string> &names);

}  // namespace wattproof::report
