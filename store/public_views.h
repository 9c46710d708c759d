// The public views with their columns, as docs/workspace.md describes them: what the user's SQL may read.
#pragma once

#include "store/result.h"

#include <string>
#include <vector>

namespace wattproof::store {

struct PublicView {
    std::string name;
    std::vector<std::string> columns;
};

[[nodiscard]] Expected<std::vector<PublicView>> publicViews();

// For who begins: what takes the most time, by name.
[[nodiscard]] std::string exampleQuery();

}  // namespace wattproof::store
