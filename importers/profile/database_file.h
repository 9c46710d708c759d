// The SQLite database that an input holds, as a file that SQLite can open: the file itself, or a copy of it where
// it was compressed, is cut or is not on disk.
#pragma once

#include "importers/importer.h"
#include "store/foreign_database.h"

#include <memory>
#include <string>

namespace wattproof::importers {

// Whether the bytes begin as every SQLite file does.
[[nodiscard]] bool looksLikeSqlite(std::span<const char> head);
// Whether a table with this text in its name is spoken of in the head, where SQLite keeps its list of tables.
[[nodiscard]] bool headNames(std::span<const char> head, std::string_view table);

class DatabaseFile {
public:
    [[nodiscard]] static Expected<std::unique_ptr<DatabaseFile>> open(Input &, const Task &);
    ~DatabaseFile();
    DatabaseFile(const DatabaseFile &) = delete;
    DatabaseFile &operator=(const DatabaseFile &) = delete;

    [[nodiscard]] const store::ForeignDatabase &database() const { return *database_; }
    // The file is shorter than its header says: tables end where their pages are missing.
    [[nodiscard]] bool cut() const { return cut_; }

private:
    DatabaseFile() = default;
    [[nodiscard]] Status copy(Input &, const Task &);
    [[nodiscard]] Status fillUp(int descriptor, std::uint64_t wanted);

    std::string temporary_;  // empty where the input itself is opened
    std::unique_ptr<store::ForeignDatabase> database_;
    bool cut_ = false;
};

}  // namespace wattproof::importers
