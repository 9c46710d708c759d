// Names of system calls and soft interrupts by their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wattproof::importers::ftrace {

// "sys_write"; "sys_64" where the machine's table is not known. Machines as `uname -m` names them.
[[nodiscard]] std::string syscallName(std::string_view machine, std::int64_t number);
[[nodiscard]] std::string softIrqName(std::int64_t vector);

}  // namespace wattproof::importers::ftrace
