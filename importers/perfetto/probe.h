// Whether bytes begin a Perfetto trace. Other protobuf files also begin with field 1 (a TensorFlow XSpace does:
// its planes), so the first packets themselves are looked at.
#pragma once

#include <string_view>

namespace wattproof::importers::perfetto {

// 0 = surely not … 1 = certain.
[[nodiscard]] double probe(std::string_view head);

}  // namespace wattproof::importers::perfetto
