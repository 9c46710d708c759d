// The SQLite export of Nsight Systems (`nsys export --type sqlite`).
#pragma once

#include "importers/nsys/export_places.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace wattproof::importers::nsys {

class SqliteExport {
public:
    // Whether the tables are those of an export: they appear only when there is data, so a few known ones must do.
    [[nodiscard]] static bool fits(const store::ForeignDatabase &);

    SqliteExport(const store::ForeignDatabase &database, ProfileRun &run)
        : tables_(database, run), places_(tables_, run), run_(run) {}

    [[nodiscard]] Expected<Summary> import();

private:
    struct GpuColumns;

    // What the file says of itself, its machine and its recording (sqlite_export_facts.cpp).
    [[nodiscard]] Status metadata();
    [[nodiscard]] Status environment();
    [[nodiscard]] Status sessionTimes();
    [[nodiscard]] Status diagnostics();
    [[nodiscard]] Status overhead();

    // GPU work (sqlite_export_gpu.cpp).
    [[nodiscard]] Status kernels();
    [[nodiscard]] Status copies();
    [[nodiscard]] Status memorySets();
    [[nodiscard]] Status graphs();
    [[nodiscard]] Status synchronisations();
    [[nodiscard]] Status metrics();
    void operation(const ExportRow &, std::string_view name, GpuOpRow);

    // Host ranges (sqlite_export_host.cpp).
    [[nodiscard]] Status runtimeCalls();
    [[nodiscard]] Status libraryCalls();
    [[nodiscard]] Status annotations();
    void annotation(const ExportRow &);

    ExportTables tables_;
    ExportPlaces places_;
    ProfileRun &run_;
    std::optional<Ns> sessionStart_;
    std::map<std::int64_t, std::string> syncTypes_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> domains_;  // (process, domain)
};

}  // namespace wattproof::importers::nsys
