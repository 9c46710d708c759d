#include "importers/sqlite_export/sqlite_export_importer.h"

#include "importers/nsys/sqlite_export.h"
#include "importers/profile/database_file.h"
#include "importers/rocpd/rocpd_export.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr std::string_view kNsys = "nsys-sqlite";
constexpr std::string_view kRocpd = "rocpd";

// Some of the tables, for the sentence that refuses the file.
std::string tableNames(const store::ForeignDatabase &database) {
    constexpr std::size_t most = 5;
    std::string names;
    std::size_t count = 0;
    for (const auto &[table, columns] : database.tables()) {
        if (count++ == most)
            return names + " …";
        names += (names.empty() ? "" : ", ") + table;
    }
    return names.empty() ? "none" : names;
}

class SqliteExportImporter final : public Importer {
public:
    [[nodiscard]] std::string_view name() const override { return "sqlite-export"; }
    [[nodiscard]] bool reads(std::string_view format) const override {
        const auto all = formats();
        return format == name() || std::find(all.begin(), all.end(), format) != all.end();
    }
    [[nodiscard]] std::vector<std::string> formats() const override {
        return {std::string(kNsys), std::string(kRocpd)};
    }

    [[nodiscard]] double probe(std::span<const char> head, std::string_view) const override {
        return looksLikeSqlite(head) ? 0.95 : 0.0;
    }

    [[nodiscard]] Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &,
                                           const Task &task) const override {
        const auto head = input.head();
        if (!looksLikeSqlite({head.data(), head.size()}))
            return failure("This is no SQLite database", input.path(), "give the file that the profiler exported");
        auto file = DatabaseFile::open(input, task);
        if (!file)
            return passOn(file);
        const store::ForeignDatabase &database = (*file)->database();
        const bool rocpdFits = rocpd::RocpdExport::fits(database);
        if (!rocpdFits && !nsys::SqliteExport::fits(database))
            return failure("This SQLite database is no export of a profiler that is known (its tables: " +
                               tableNames(database) + ")",
                           input.path(), "give an export of Nsight Systems or rocprofv3");
        auto run = ProfileRun::begin(input, writer, task, std::string(rocpdFits ? kRocpd : kNsys));
        if (!run)
            return passOn(run);
        if ((*file)->cut() && input.damage().empty())
            (*run)->warn("truncated_input", "The file is shorter than its header says; what was whole was read.");
        if (rocpdFits)
            return rocpd::RocpdExport(database, **run).import();
        return nsys::SqliteExport(database, **run).import();
    }
};

}  // namespace

std::unique_ptr<Importer> makeSqliteExportImporter() {
    return std::make_unique<SqliteExportImporter>();
}

}  // namespace wattproof::importers
