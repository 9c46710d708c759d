#include "analysis/findings/rule.h"

#include <algorithm>

namespace wattproof::analysis {

void rankFindings(Context &context) {
    auto &findings = context.result.findings;
    std::stable_sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) {
        if (a.score != b.score)
            return a.score > b.score;
        return a.recoverableNs.value_or(0) > b.recoverableNs.value_or(0);
    });
    for (std::size_t i = 0; i < findings.size(); ++i)
        findings[i].rank = static_cast<int>(i) + 1;
}

}  // namespace wattproof::analysis
