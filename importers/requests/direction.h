// Whether more of a figure is better.
#pragma once

#include "importers/requests/log_rules.h"

#include <string_view>

namespace wattproof::importers::requests {

// By the rules' patterns of the path, the words in the metric's name, or, where it is only a statistic ("avg"), in
// what it is of; where none tells, yes.
[[nodiscard]] bool higherIsBetter(const LogRules &, std::string_view path, std::string_view metric,
                                  std::string_view slice);

}  // namespace wattproof::importers::requests
