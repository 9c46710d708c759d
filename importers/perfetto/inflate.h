// Packets that hold other packets, compressed.
#pragma once

#include "store/result.h"

#include <string>
#include <string_view>

namespace wattproof::importers::perfetto {

// Writers put at most half a MiB into one such packet; what unpacks to more than this is refused.
inline constexpr std::size_t kLargestBundle = std::size_t{64} << 20U;

// Replaces `out`. The error's `what` is a sentence for a warning.
[[nodiscard]] Status inflatePackets(std::string_view compressed, std::string &out);
[[nodiscard]] Status unpackZstd(std::string_view compressed, std::string &out);

}  // namespace wattproof::importers::perfetto
