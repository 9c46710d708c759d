#include "analysis/findings/rule.h"

namespace wattproof::analysis {

const std::vector<const Rule *> &rules() {
    static const std::vector<const Rule *> all;
    return all;
}

}  // namespace wattproof::analysis
