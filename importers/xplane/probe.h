// Tells an XSpace from other protocol buffer files, above all from Perfetto traces, which begin with the same
// byte.
#pragma once

#include <string_view>

namespace wattproof::importers::xplane {

// The first message is a plane: it has the fields of one, each in its wire type, and a printable name. A
// TracePacket of Perfetto has other fields (trusted ids and times among them), and where the numbers agree (2, the
// process tree) it holds a message, not text.
[[nodiscard]] bool looksLikeXspace(std::string_view head);

}  // namespace wattproof::importers::xplane
