// Bits of NVML's clocks_event_reasons mask that the simulated device sets.
#pragma once

#include <cstdint>

namespace wattproof::simulator {

inline constexpr std::uint64_t kReasonIdle = 0x1;
inline constexpr std::uint64_t kReasonPowerCap = 0x4;
inline constexpr std::uint64_t kReasonThermal = 0x20;

}  // namespace wattproof::simulator
