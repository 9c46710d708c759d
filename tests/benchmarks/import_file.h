// An import into a new workspace, as the benchmarks time it.
#pragma once

#include "importers/session.h"

#include <cstdint>
#include <string>

namespace wattproof::bench {

// Replaces `workspace`. Sum of `count` over what was imported; negative, with the reason on stderr, when it failed.
[[nodiscard]] std::int64_t importFile(const std::string &file, const std::string &workspace,
                                      std::int64_t importers::Summary::*count = &importers::Summary::events);

}  // namespace wattproof::bench
