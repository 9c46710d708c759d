#include "importers/nsys/sqlite_export.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace wattproof::importers::nsys {
namespace {

struct Kept {
    std::string_view name, key;
};

// Of the target's environment only these: its rows may hold the whole environment of a process, tokens included.
constexpr std::array<Kept, 9> kEnvironment{{{"NvDriverVersion", "driver_version"},
                                            {"CudaDriverVersion", "cuda_driver_api_version"},
                                            {"OsDescription", "os"},
                                            {"KernelVersion", "kernel"},
                                            {"CpuDescription", "cpu"},
                                            {"CpuCores", "cpu_cores"},
                                            {"CpuArchitecture", "cpu_architecture"},
                                            {"Hostname", "hostname"},
                                            {"HardwarePlatform", "platform"}}};

constexpr std::array<Kept, 4> kExport{{{"EXPORT_PRODUCT_NAME", "profiler"},
                                       {"EXPORT_PRODUCT_VERSION", "profiler_version"},
                                       {"EXPORT_SCHEMA_VERSION", "schema_version"},
                                       {"EXPORT_TIME_UTC", "exported_at"}}};

constexpr long kNewestSchema = 3;
constexpr std::int64_t kWarning = 2, kError = 3;
constexpr std::size_t kLongestValue = 256;

std::string_view keyOf(std::span<const Kept> kept, std::string_view name) {
    const auto found =
        std::find_if(kept.begin(), kept.end(), [name](const Kept &each) { return each.name == name; });
    return found == kept.end() ? std::string_view() : found->key;
}

}  // namespace

Status SqliteExport::metadata() {
    for (const char *table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
        auto status = tables_.read(table, {"name", "value"}, [&](const ExportRow &row) {
            if (const auto key = keyOf(kExport, row.text(0)); !key.empty())
                run_.metadata(key, row.text(1).substr(0, kLongestValue));
            if (row.text(0) == "EXPORT_SCHEMA_VERSION_MAJOR" &&
                std::strtol(std::string(row.text(1)).c_str(), nullptr, 10) > kNewestSchema)
                run_.warn("newer_version",
                          "The export has a schema of a version that is newer than 3: what is not "
                          "known of it is not shown.",
                          row.record());
        });
        if (!status)
            return status;
    }
    return {};
}

Status SqliteExport::environment() {
    return tables_.read("TARGET_INFO_SYSTEM_ENV", {"name", "value"}, [&](const ExportRow &row) {
        if (const auto key = keyOf(kEnvironment, row.text(0)); !key.empty())
            run_.metadata(key, row.text(1).substr(0, kLongestValue));
    });
}

Status SqliteExport::sessionTimes() {
    auto status = tables_.read("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](const ExportRow &row) {
        if (const auto start = row.whole(0); start && isEpochTime(*start))
            sessionStart_ = start;
    });
    if (!status)
        return status;
    return tables_.read("ANALYSIS_DETAILS", {"duration", "startTime", "stopTime"}, [&](const ExportRow &row) {
        constexpr std::array<const char *, 3> keys{"recording_ns", "recording_start_ns", "recording_stop_ns"};
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (const auto value = row.whole(i))
                run_.metadata(keys[i], std::to_string(*value));
    });
}

// What the profiler itself found worth a warning: lost events above all.
Status SqliteExport::diagnostics() {
    return tables_.read("DIAGNOSTIC_EVENT", {"severity", "text"}, [&](const ExportRow &row) {
        const std::int64_t severity = row.wholeOr(0, 0);
        if (severity != kWarning && severity != kError)
            return;
        const std::string text(row.text(1).substr(0, row.text(1).find('\n')));
        const char *kind = severity == kError ? "profiler_error" : "profiler_warning";
        run_.warn(kind, "The profiler reported: " + text, row.record());
        run_.metadata(kind, row.text(1).substr(0, 4 * kLongestValue));
    });
}

Status SqliteExport::overhead() {
    for (const auto &[table, key] : {std::pair{"PROFILER_OVERHEAD", "profiler_overhead_ns"},
                                     std::pair{"CUPTI_ACTIVITY_KIND_OVERHEAD", "cupti_overhead_ns"}}) {
        double sum = 0;
        std::int64_t count = 0;
        auto status = tables_.read(table, {"start", "end"}, [&](const ExportRow &row) {
            const double length = row.cell(1).number().value_or(0) - row.cell(0).number().value_or(0);
            sum += std::max(length, 0.0);
            ++count;
        });
        if (!status)
            return status;
        if (count == 0)
            continue;
        run_.metadata(key, std::to_string(static_cast<std::int64_t>(std::min(sum, 9e18))));
        run_.warn("profiler_overhead",
                  "The profiler itself took time on the host, up to " +
                      std::to_string(static_cast<std::int64_t>(std::min(sum, 9e18) / 1e6)) +
                      " ms in all threads together.",
                  0, count);
    }
    return {};
}

}  // namespace wattproof::importers::nsys
