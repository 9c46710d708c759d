// Which rules the first bytes of a file fit.
#pragma once

#include "importers/requests/log_rules.h"

#include <span>
#include <string>
#include <vector>

namespace wattproof::importers::requests {

// The surest rules of one kind of source (and one format, unless that is empty); null when none fit.
[[nodiscard]] const LogRules *findRules(std::span<const char> head, const std::vector<LogRules> &, SourceKind,
                                        const std::string &format);

}  // namespace wattproof::importers::requests
