// What a host region of rocpd is, by the name of its domain, and what an annotation says.
#pragma once

#include <string>
#include <string_view>

namespace wattproof::importers::rocpd {

inline constexpr std::string_view kAnnotation = "user_annotation";

// "HIP_RUNTIME_API_EXT" is "hip_runtime", a marker an annotation; what is not known is "api".
[[nodiscard]] std::string_view regionCategory(std::string_view domain);

// The message of a roctx range, which stands in the row's extra data; else the region's own name.
[[nodiscard]] std::string annotationName(std::string_view name, std::string_view extra);

}  // namespace wattproof::importers::rocpd
