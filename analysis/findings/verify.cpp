#include "analysis/findings/rule.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wattproof::analysis {
namespace {

constexpr double kRelativeTolerance = 1e-6;

Expected<double> firstCell(store::Reader &reader, const std::string &query) {
    auto result = reader.query(query, 1);
    if (!result)
        return passOn(result);
    if (result->rows.empty() || result->rows.front().empty())
        return failure("the query returned no row");
    const std::string &cell = result->rows.front().front();
    char *end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (end == cell.c_str() || *end != '\0')
        return failure("the query's first cell is not a number but \"" + cell + "\"");
    return value;
}

bool agrees(double stated, double found) {
    const double scale = std::max(std::abs(stated), std::abs(found));
    return std::abs(stated - found) <= kRelativeTolerance * scale;
}

Status verifyQuery(store::Reader &reader, const Finding &finding, const std::string &claim,
                   const std::string &query, double stated) {
    auto found = firstCell(reader, query);
    const std::string where = finding.key + ": " + claim;
    if (!found)
        return failure("an evidence query failed, " + found.error().sentence(), where,
                       "analyse the workspace again");
    if (!agrees(stated, *found))
        return failure(
            "evidence states " + std::to_string(stated) + " but its query gives " + std::to_string(*found), where,
            "analyse the workspace again");
    return {};
}

Status verifyFinding(store::Reader &reader, const Finding &finding) {
    for (const Evidence &evidence : finding.evidence)
        if (auto status = verifyQuery(reader, finding, evidence.claim, evidence.query, evidence.value); !status)
            return status;
    for (const Check &check : finding.checks)
        if (auto status = verifyQuery(reader, finding, check.claim, check.query, check.passed ? 1 : 0); !status)
            return status;
    return {};
}

}  // namespace

Status verifyEvidence(store::Reader &reader, const std::vector<Finding> &findings) {
    for (const Finding &finding : findings)
        if (auto status = verifyFinding(reader, finding); !status)
            return status;
    return {};
}

}  // namespace wattproof::analysis
