// Facts about device work that several profilers write in the same words.
#pragma once

#include "importers/chrome/event.h"
#include "importers/copy_kind.h"
#include "store/rows.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wattproof::importers::chrome {

[[nodiscard]] std::optional<std::int64_t> integerOf(const RawValue *value);
// "[1, 2, 3]"; nothing when it is not three whole numbers, or all of them are 0 (ROCm's way of not knowing).
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> triple(const RawValue *value);
// The text of an argument, or `otherwise` where the event does not have it.
[[nodiscard]] std::string textOr(const Event &, std::string_view key, const std::string &otherwise);

[[nodiscard]] bool contains(std::string_view text, std::string_view part);
[[nodiscard]] bool isDigits(std::string_view text);

}  // namespace wattproof::importers::chrome
