// Correlation ids of several processes or runs in one file: each counts from its own start.
#pragma once

#include <cstdint>

namespace wattproof::importers {

// One number for (part, id), where a part is a process or a run in the order they were met. The first part's ids stand as
// they are; of the others the part stands above bit 40. 0, which links nothing, where there is no id or no room.
[[nodiscard]] inline std::int64_t correlationOf(std::int64_t part, std::int64_t id) {
    constexpr int kBits = 40;
    constexpr std::int64_t kIds = std::int64_t{1} << kBits, kParts = std::int64_t{1} << (62 - kBits);
    if (id <= 0)
        return 0;
    if (part == 0)
        return id;
    return id < kIds && part > 0 && part < kParts ? id + part * kIds : 0;
}

}  // namespace wattproof::importers
