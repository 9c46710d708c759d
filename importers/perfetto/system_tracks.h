// Devices, counters and tracks of system data, by machine, shared by the modules that read them.
#pragma once

#include "importers/ftrace/tracks.h"
#include "importers/perfetto/packet_module.h"

#include <map>

namespace wattproof::importers::perfetto {

class SystemTracks {
public:
    explicit SystemTracks(ImportContext &context) : context_(context) {}

    [[nodiscard]] ftrace::Tracks &of(std::uint32_t machine) {
        const std::string host = machine == 0 ? std::string() : "machine " + std::to_string(machine);
        return byMachine_.try_emplace(machine, context_.writer, context_.source, host).first->second;
    }

private:
    ImportContext &context_;
    std::map<std::uint32_t, ftrace::Tracks> byMachine_;
};

}  // namespace wattproof::importers::perfetto
