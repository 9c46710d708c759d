#include "importers/ftrace/syscall_names.h"

#include "resources/embedded.h"

#include <array>
#include <map>
#include <vector>

#include <nlohmann/json.hpp>

namespace wattproof::importers::ftrace {
namespace {

using Tables = std::map<std::string, std::vector<std::string>, std::less<>>;

// resources/kernel/syscalls.json: by machine, the names in order of their numbers; null where a number is free.
Tables loadTables() {
    Tables tables;
    const auto shipped = resources::builtIn("kernel/syscalls.json");
    const auto document = nlohmann::json::parse(shipped.value_or("{}"), nullptr, false);
    for (const auto &[machine, names] : document.items())
        for (const auto &name : names)
            tables[machine].push_back(name.is_string() ? name.get<std::string>() : std::string());
    return tables;
}

}  // namespace

std::string syscallName(std::string_view machine, std::int64_t number) {
    static const Tables tables = loadTables();
    const auto table = tables.find(machine == "arm64" ? std::string_view("aarch64") : machine);
    const bool known = table != tables.end() && number >= 0 &&
                       number < static_cast<std::int64_t>(table->second.size()) &&
                       !table->second[static_cast<std::size_t>(number)].empty();
    return "sys_" + (known ? table->second[static_cast<std::size_t>(number)] : std::to_string(number));
}

std::string softIrqName(std::int64_t vector) {
    constexpr std::array<std::string_view, 10> kNames = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                                         "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
    if (vector >= 0 && vector < static_cast<std::int64_t>(kNames.size()))
        return std::string(kNames[static_cast<std::size_t>(vector)]);
    return "vector " + std::to_string(vector);
}

}  // namespace wattproof::importers::ftrace
