// Kernel events as Perfetto packs them: bundles of one processor, each event a message of its own kind, switches
// and wakeups of the scheduler perhaps as columns of numbers. Messages: protos/perfetto/trace/ftrace/*.proto
#pragma once

#include "importers/ftrace/kernel_trace.h"
#include "importers/perfetto/packet_module.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::importers::perfetto {

class FtraceBundles {
public:
    explicit FtraceBundles(ImportContext &context) : context_(context) {}

    // Interned data that events refer to: names of kernel functions.
    static constexpr std::uint32_t kKernelSymbols = 26;

    [[nodiscard]] Taken take(const Packet &, std::string_view bundle, ftrace::KernelTrace &);
    // Where the ring buffers of all processors of a machine begin to be whole; what is earlier says nothing
    // reliable.
    [[nodiscard]] Ns validFrom(std::uint32_t machine) const;

private:
    struct Bundle {
        std::uint32_t machine = 0;
        std::int32_t cpu = 0;
        std::uint64_t clock = 0;  // FtraceClock
        std::optional<std::uint64_t> ftraceTime, bootTime, previousEnd;
        std::string_view compact;
        bool lost = false;
    };

    [[nodiscard]] static Bundle headOf(std::string_view bytes);
    [[nodiscard]] std::optional<Ns> toTrace(const Bundle &, std::uint64_t time, bool last);
    void event(const Packet &, const Bundle &, std::string_view bytes, ftrace::KernelTrace &);
    void fields(const Packet &, const std::vector<std::string> &schema, std::string_view bytes);
    void genericEvent(std::string_view bytes);
    void compactSwitches(const Packet &, const Bundle &, ftrace::KernelTrace &);
    void compactWakings(const Packet &, const Bundle &, ftrace::KernelTrace &);

    ImportContext &context_;
    ftrace::FtraceEvent event_;
    std::string name_;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint64_t> firstPreviousEnd_;  // by machine and cpu
    std::map<std::uint32_t, Ns> validFrom_;                                             // by machine
};

}  // namespace wattproof::importers::perfetto
