#include "importers/nsys/sqlite_export.h"

#include <algorithm>
#include <array>

namespace wattproof::importers::nsys {

bool SqliteExport::fits(const store::ForeignDatabase &database) {
    if (!database.has("StringIds"))
        return false;
    constexpr std::array<const char *, 6> telling{"META_DATA_EXPORT",
                                                  "EXPORT_META_DATA",
                                                  "TARGET_INFO_SESSION_START_TIME",
                                                  "TARGET_INFO_SYSTEM_ENV",
                                                  "CUPTI_ACTIVITY_KIND_RUNTIME",
                                                  "CUPTI_ACTIVITY_KIND_KERNEL"};
    return std::any_of(telling.begin(), telling.end(), [&](const char *name) { return database.has(name); });
}

Expected<Summary> SqliteExport::import() {
    if (Status status = places_.load(); !status)
        return passOn(status);
    using Step = Status (SqliteExport::*)();
    constexpr std::array<Step, 14> steps{
        &SqliteExport::metadata,     &SqliteExport::environment,      &SqliteExport::sessionTimes,
        &SqliteExport::kernels,      &SqliteExport::copies,           &SqliteExport::memorySets,
        &SqliteExport::graphs,       &SqliteExport::synchronisations, &SqliteExport::metrics,
        &SqliteExport::runtimeCalls, &SqliteExport::libraryCalls,     &SqliteExport::annotations,
        &SqliteExport::diagnostics,  &SqliteExport::overhead};
    for (const Step step : steps)
        if (Status status = (this->*step)(); !status)
            return passOn(status);
    // Words for numbers, and what describes a recording rather than what happened, are nobody's loss.
    const auto counts = [](std::string_view table) {
        return !table.starts_with("ENUM_") && !table.starts_with("TARGET_INFO_") &&
               !table.starts_with("META_DATA_") && table != "ProcessStreams" && table != "UnwindMethodType" &&
               table != "ANALYSIS_FILE";
    };
    if (Status status = tables_.tellUnread(counts); !status)
        return passOn(status);
    return run_.finish(sessionStart_);
}

// False when the times cannot be kept. A range that has no end yet is given none here: see its callers.
bool SqliteExport::range(std::optional<std::int64_t> start, std::optional<std::int64_t> end, const ExportRow &row,
                         RawEvent &event, Ns &dur) {
    run_.countEvent();
    if (!start) {
        run_.warn("missing_field", "Rows without a start were left out.", row.record());
        return false;
    }
    event.ts = *start;
    event.origin = {row.record()};
    if (__builtin_sub_overflow(end.value_or(*start), *start, &dur)) {
        run_.warn("timestamp_outlier", "Events whose times are beyond any clock were left out.", row.record());
        return false;
    }
    return run_.acceptable(*start, dur, row.record());
}

}  // namespace wattproof::importers::nsys
