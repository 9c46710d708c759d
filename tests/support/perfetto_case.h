// Compares an imported trace with the facts of the shared Perfetto cases: rows of named columns, as upstream names
// them. One small adapter: our rows by kind of fact, with the upstream column names.
#pragma once

#include "tests/support/import_trace.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace wattproof::test {

using FactRow = std::map<std::string, nlohmann::json>;  // column: value; null where we have none

// Times are on the trace's own clock. Thread states and counters bear the trace's units.
std::vector<FactRow> sliceRows(const ImportedTrace &);
// One row for each slice and each of its ancestors.
std::vector<FactRow> ancestorRows(const ImportedTrace &);
std::vector<FactRow> counterRows(const ImportedTrace &);
std::vector<FactRow> flowRows(const ImportedTrace &);
std::vector<FactRow> threadRows(const ImportedTrace &);
std::vector<FactRow> processRows(const ImportedTrace &);
std::vector<FactRow> trackRows(const ImportedTrace &);
std::vector<FactRow> metadataRows(const ImportedTrace &);
// One row for each argument of each slice, flattened; the columns of the slice stand beside it.
std::vector<FactRow> argumentRows(const ImportedTrace &);
std::vector<FactRow> threadStateRows(const ImportedTrace &);
// The rows for facts of a kind ("slices", "counters" ...); empty for kinds that the adapter does not know.
std::vector<FactRow> rowsOfKind(const ImportedTrace &, const std::string &kind);

struct FactOptions {
    // Columns that our views do not have: left out of the comparison. Each use says why.
    std::vector<std::string> ignored;
    // Rows of the fact that are argued to be wrong or that we answer otherwise; by their place, from 0.
    std::vector<std::size_t> argued;
    // Our value for a column, where it needs turning into upstream's.
    std::function<void(FactRow &)> adapt;
};

// Expected rows that none of our rows equals in all columns of the fact, one sentence each; every row of ours
// serves once. With `rows` empty the adapter's own rows of the fact's kind are used.
std::vector<std::string> checkFact(const ImportedTrace &, const nlohmann::json &fact,
                                   const FactOptions &options = {}, std::vector<FactRow> rows = {});

}  // namespace wattproof::test
