// A rule: one bottleneck mechanism, in one file. Rules are pure functions of the context.
#pragma once

#include "analysis/context.h"

#include <string_view>
#include <variant>
#include <vector>

namespace wattproof::analysis {

struct RuleOutcome {
    std::vector<Finding> findings;  // unranked; empty when the mechanism was looked for and not found
    std::vector<RuleNeed> needs;    // data the rule lacks
};

class Rule {
public:
    virtual ~Rule() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual RuleOutcome evaluate(const Context &) const = 0;
};

// All rules of this build; the list is in rules.cpp.
[[nodiscard]] const std::vector<const Rule *> &rules();

// Scores, ranks (DESIGN "Finding"), settles conflicts between findings (trace_incomplete against idle findings)
// and computes the joint ceiling. Evidence must have been filled by the rules.
void rankFindings(Context &);

// Re-runs each evidence and check query through the reader and fails with a sentence when one does not give its
// value.
[[nodiscard]] Status verifyEvidence(store::Reader &, const std::vector<Finding> &);

}  // namespace wattproof::analysis
