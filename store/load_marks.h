// The format of a source that is a reference for clocks: times at which a load went on and off, and no work of a device.
#pragma once

namespace wattproof {

inline constexpr const char *kLoadMarksFormat = "load-marks";

}  // namespace wattproof
