// Launch grids that count work-items, as ROCm's do, in workgroups.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace wattproof::importers {

// None unless all sizes are known. A workgroup that is only partly filled counts.
[[nodiscard]] inline std::optional<std::array<std::int64_t, 3>> workgroupsOf(
    const std::array<std::int64_t, 3> &workItems, const std::array<std::int64_t, 3> &workgroup) {
    std::array<std::int64_t, 3> groups{};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (workItems[i] <= 0 || workgroup[i] <= 0)
            return std::nullopt;
        groups[i] = workItems[i] / workgroup[i] + (workItems[i] % workgroup[i] != 0 ? 1 : 0);
    }
    return groups;
}

}  // namespace wattproof::importers
