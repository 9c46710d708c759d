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

}  // namespace wattproof::importers::nsys
