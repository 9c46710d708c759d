#include "importers/perfetto/field_census.h"

#include <algorithm>

namespace wattproof::importers::perfetto {
namespace {

struct Named {
    std::uint32_t field;
    std::string_view name;
};

// Fields of TracePacket (protos/perfetto/trace/trace_packet.proto).
constexpr Named kPacketFields[] = {{1, "ftrace_events"},
                                   {2, "process_tree"},
                                   {4, "inode_file_map"},
                                   {5, "chrome_events"},
                                   {6, "clock_snapshot"},
                                   {7, "sys_stats"},
                                   {9, "process_stats"},
                                   {11, "track_event"},
                                   {33, "trace_config"},
                                   {34, "ftrace_stats"},
                                   {35, "trace_stats"},
                                   {36, "synchronization_marker"},
                                   {37, "profile_packet"},
                                   {38, "battery"},
                                   {39, "android_log"},
                                   {40, "power_rails"},
                                   {43, "process_descriptor"},
                                   {44, "thread_descriptor"},
                                   {45, "system_info"},
                                   {46, "trigger"},
                                   {47, "packages_list"},
                                   {48, "chrome_benchmark_metadata"},
                                   {49, "perfetto_metatrace"},
                                   {50, "compressed_packets"},
                                   {51, "chrome_metadata"},
                                   {52, "gpu_counter_event"},
                                   {53, "gpu_render_stage_event"},
                                   {54, "streaming_profile_packet"},
                                   {56, "heap_graph"},
                                   {57, "graphics_frame_event"},
                                   {60, "track_descriptor"},
                                   {61, "module_symbols"},
                                   {62, "vulkan_memory_event"},
                                   {63, "gpu_log"},
                                   {64, "deobfuscation_mapping"},
                                   {65, "vulkan_api_event"},
                                   {66, "perf_sample"},
                                   {67, "cpu_info"},
                                   {68, "smaps_packet"},
                                   {69, "service_event"},
                                   {70, "initial_display_state"},
                                   {71, "gpu_mem_total_event"},
                                   {72, "extension_descriptor"},
                                   {73, "memory_tracker_snapshot"},
                                   {74, "streaming_allocation"},
                                   {75, "streaming_free"},
                                   {76, "frame_timeline_event"},
                                   {77, "android_energy_estimation_breakdown"},
                                   {78, "ui_state"},
                                   {82, "translation_table"},
                                   {83, "android_game_intervention_list"},
                                   {84, "statsd_atom"},
                                   {86, "android_system_property"},
                                   {88, "network_packet"},
                                   {89, "trace_uuid"},
                                   {90, "track_event_range_of_interest"},
                                   {91, "entity_state_residency"},
                                   {92, "network_packet_bundle"},
                                   {95, "etw_events"},
                                   {99, "v8_js_code"},
                                   {107, "remote_clock_sync"},
                                   {109, "chrome_trigger"},
                                   {113, "clone_snapshot_trigger"},
                                   {115, "kernel_wakelock_data"},
                                   {117, "generic_kernel_task_state_event"},
                                   {118, "generic_kernel_cpu_freq_event"},
                                   {119, "cpu_per_uid_data"},
                                   {120, "generic_kernel_task_rename_event"},
                                   {122, "generic_kernel_process_tree"},
                                   {123, "user_list"},
                                   {128, "gpu_info"},
                                   {129, "generic_gpu_frequency_event"},
                                   {130, "interrupt_info"},
                                   {132, "journald_event"},
                                   {133, "zstd_compressed_packets"}};

constexpr std::size_t kListed = 40;

}  // namespace

std::string_view packetFieldName(std::uint32_t field) {
    for (const Named &each : kPacketFields)
        if (each.field == field)
            return each.name;
    return {};
}

FieldCensus::Message &FieldCensus::message(std::string_view path) {
    Message *&known = byPath_[std::string(path)];
    if (!known)
        known = &messages_.emplace_back(std::string(path));
    return *known;
}

void FieldCensus::report(TraceBuilder &builder) const {
    std::vector<std::pair<std::uint64_t, std::string>> found;
    std::uint64_t total = 0, first = ~std::uint64_t{0};
    for (const Message &message : messages_) {
        if (message.total_ == 0)
            continue;
        total += message.total_;
        first = std::min(first, message.firstOffset_);
        const std::string prefix = message.path_.empty() ? "" : message.path_ + '.';
        for (std::uint32_t field = 0; field < message.counts_.size(); ++field) {
            const std::string_view name = prefix.empty() ? packetFieldName(field) : std::string_view();
            if (message.counts_[field] > 0)
                found.emplace_back(message.counts_[field],
                                   prefix + (name.empty() ? std::to_string(field) : std::string(name)));
        }
        if (message.others_ > 0)
            found.emplace_back(message.others_, prefix + "(field numbers above 4095)");
    }
    if (total == 0)
        return;
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    std::string list;
    for (std::size_t i = 0; i < found.size() && i < kListed; ++i)
        list += (i == 0 ? "" : ", ") + found[i].second + " (" + std::to_string(found[i].first) + ")";
    if (found.size() > kListed)
        list += " and " + std::to_string(found.size() - kListed) + " more";
    builder.warn("unknown_field", "Fields that are not shown were counted: " + list + ".", {first},
                 static_cast<std::int64_t>(total));
}

}  // namespace wattproof::importers::perfetto
