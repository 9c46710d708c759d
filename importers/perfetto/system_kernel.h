// The kernel's part of a trace: ftrace bundles, lists of processes, what generic kernels say in their stead. All
// of it is put in order of time before it is shown, since bundles come by processor.
#pragma once

#include "importers/ftrace/kernel_trace.h"
#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/system_ftrace.h"
#include "importers/perfetto/system_tracks.h"

#include <map>
#include <memory>

namespace wattproof::importers::perfetto {

class KernelModule final : public PacketModule {
public:
    KernelModule(ImportContext &context, SystemTracks &tracks)
        : context_(context), tracks_(tracks), bundles_(context) {}

    [[nodiscard]] std::vector<std::uint32_t> fields() const override;
    [[nodiscard]] std::vector<std::uint32_t> internedFields() const override {
        return {FtraceBundles::kKernelSymbols};
    }
    [[nodiscard]] Taken take(const Packet &, const Field &) override;
    [[nodiscard]] Status finish() override;

private:
    [[nodiscard]] ftrace::KernelTrace &kernel(std::uint32_t machine);
    void processTree(const Packet &, std::string_view);
    void process(const Packet &, std::string_view);
    void thread(const Packet &, std::string_view);
    void processStats(const Packet &, std::string_view);
    void genericProcesses(const Packet &, std::string_view);
    void systemProperties(const Packet &, std::string_view);
    // A message whose numbered fields are those of a kernel event.
    void asEvent(const Packet &, std::string_view name, std::initializer_list<std::string_view> fields,
                 std::string_view bytes);
    void adopt(std::uint32_t machine, ftrace::KernelTrace &);
    void handBack(ftrace::KernelTrace &);

    ImportContext &context_;
    SystemTracks &tracks_;
    FtraceBundles bundles_;
    std::map<std::uint32_t, std::unique_ptr<ftrace::KernelTrace>> kernels_;  // by machine
};

}  // namespace wattproof::importers::perfetto
