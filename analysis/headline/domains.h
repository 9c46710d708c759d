// Which measured power belongs to the headline, and which domains of the node nothing measures.
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

struct HeadlineDomains {
    std::vector<const PowerSeries *> series;
    std::vector<std::string> measured, missing;  // accelerator, host, memory, rest
};

// The scenario's domains where it names some, else everything that is measured.
[[nodiscard]] HeadlineDomains headlineDomains(const Context &);

}  // namespace wattproof::analysis
