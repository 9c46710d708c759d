// The texts in which XPlane packs a launch or a copy: "grid:256,1,1 block:256,1,1 regs:32",
// "kind:pinned size:655360 dest:2 async:1".
#pragma once

#include "store/rows.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wattproof::importers::xplane {

// The value behind `key:`, up to the next space.
[[nodiscard]] std::optional<std::string_view> detail(std::string_view details, std::string_view key);
[[nodiscard]] std::optional<std::int64_t> wholeDetail(std::string_view details, std::string_view key);
// "256,1,1"; none when all are 0.
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> tripleDetail(std::string_view details,
                                                                      std::string_view key);
// Direction of a copy, by its name, else by its details, else by the kinds in its line's name.
[[nodiscard]] CopyKind copyDirection(std::string_view name, std::string_view details, std::string_view lineName);

}  // namespace wattproof::importers::xplane
