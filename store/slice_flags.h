// State and kind of a slice in one small number, as tables and tiles hold them: state + 4 * kind.
#pragma once

#include "store/rows.h"

namespace wattproof::store {

[[nodiscard]] inline std::uint8_t flagsOf(const SliceRow &slice) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(slice.state) + 4U * static_cast<unsigned>(slice.kind));
}
[[nodiscard]] inline SliceState stateOf(std::int64_t flags) {
    return static_cast<SliceState>(flags & 3);
}
[[nodiscard]] inline SliceKind kindOf(std::int64_t flags) {
    return static_cast<SliceKind>((flags >> 2) & 1);
}

}  // namespace wattproof::store
