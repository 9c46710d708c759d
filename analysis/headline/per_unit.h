// Joules of each path per unit of work, and which path consumed the budget first (docs/methods.md, Budget).
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

// Over the sustained interval. Fills j_per_unit of the paths that lie inside the trace and the budget of the
// scenario: crossed_by is the path whose joules take the running sum over limit × units; order lists paths by what
// they had taken at that moment (at the end where the budget holds), largest first.
void computePerUnit(Context &);

}  // namespace wattproof::analysis
