// What GPUs did, stage by stage, and the Vulkan calls that asked for it.
// Messages: protos/perfetto/trace/gpu/gpu_render_stage_event.proto, vulkan_api_event.proto
#pragma once

#include "importers/kernel_classes.h"
#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/system_tracks.h"
#include "importers/trace/record_sorter.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wattproof::importers::perfetto {

class RenderModule final : public PacketModule {
public:
    RenderModule(ImportContext &context, SystemTracks &tracks)
        : context_(context), tracks_(tracks), submitted_(kBudget) {}

    [[nodiscard]] std::vector<std::uint32_t> fields() const override;
    [[nodiscard]] std::vector<std::uint32_t> internedFields() const override;
    [[nodiscard]] Taken take(const Packet &, const Field &) override;
    [[nodiscard]] Status finish() override;

private:
    struct Label {
        std::string name, description;
    };
    struct Stage {
        std::uint64_t id = 0, queueIid = 0, stageIid = 0, kernelIid = 0, nameIid = 0;
        std::uint64_t context = 0, target = 0, pass = 0, commands = 0, submission = 0, instance = 0;
        std::int64_t duration = 0, queue = 0, stage = 0, gpu = 0;
        std::string_view name, launch;
        std::vector<std::uint64_t> subpasses, waits;
        std::vector<std::pair<std::string_view, std::string_view>> extra;
    };
    struct Queue {
        TrackRow row;
        std::int64_t number = -1;  // of the deprecated list; -1: named by an interned specification
    };
    struct Submitted {
        std::uint32_t key = 0;  // track
        Ns ts = 0;
        std::uint64_t offset = 0, flow = 0;
    };
    static constexpr std::size_t kBudget = std::size_t{16} << 20U;
    struct Names {
        std::string slice, stage, description, kernel, demangled, arch;
    };

    [[nodiscard]] static Stage decode(std::string_view);
    void specifications(const Packet &, std::string_view);
    void stage(const Packet &, const Stage &);
    [[nodiscard]] Status endSubmissions();
    void arrows(const Packet &, const Stage &, const RawEvent &);
    [[nodiscard]] Label specification(const Packet &, std::uint64_t iid) const;
    [[nodiscard]] Names namesOf(const Packet &, const Stage &) const;
    [[nodiscard]] ArgSetId argumentsOf(const Packet &, const Stage &, const Names &);
    [[nodiscard]] static std::string subpasses(const std::vector<std::uint64_t> &masks);
    [[nodiscard]] const Queue &queueOf(const Packet &, const Stage &, const Label &);
    static void launchSize(std::string_view launch, GpuOpRow &);
    void classify(StringId name, const std::string &text);
    void vulkan(const Packet &, std::string_view);
    void objectName(const Packet &, std::string_view);
    void queueSubmit(const Packet &, std::string_view);
    [[nodiscard]] std::string nameOfObject(std::uint64_t type, std::uint64_t object) const;

    ImportContext &context_;
    SystemTracks &tracks_;
    std::optional<KernelClassifier> classifier_;  // loaded with the first stage
    std::map<std::pair<std::uint32_t, std::string>, Queue> queues_;
    std::vector<Label> queueLabels_, stageLabels_;                            // of the deprecated list
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> objects_;  // by Vulkan type and handle
    std::set<StringId> classified_;
    RecordSorter<Submitted> submitted_;
};

}  // namespace wattproof::importers::perfetto
