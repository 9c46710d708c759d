// Fills the tables of a new database with rows, as pages, before SQLite sees it: about a fifth of the processor time of
// as many INSERT statements. What else there is, SQLite does afterwards.
#pragma once

#include "store/pages/index_builder.h"
#include "store/pages/page_file.h"
#include "store/pages/table_builder.h"
#include "store/sqlite/database.h"

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace wattproof::store::pages {

class Loader {
public:
    // The schema stands, all tables and indexes are empty and nobody has the file open.
    [[nodiscard]] static Expected<std::unique_ptr<Loader>> open(const std::string &path,
                                                                std::map<std::string, PageNumber> roots);
    // Root page of each table and index.
    [[nodiscard]] static Expected<std::map<std::string, PageNumber>> rootsOf(const sqlite::Database &);

    // Null for a name that is no table. The same name gives the same builder.
    [[nodiscard]] TableBuilder *table(const std::string &name);
    // The same for indexes over one column of whole numbers.
    [[nodiscard]] IndexBuilder *index(const std::string &name);
    // Those that SQLite has to make, after finish().
    [[nodiscard]] std::vector<std::string> incompleteIndexes() const;
    // The first failure to write.
    [[nodiscard]] const Status &status() const { return file_.status(); }
    // Completes all tables, indexes and the file; cancelled() when it was stopped. The loader is done then.
    [[nodiscard]] Status finish(const std::stop_token & = {});

private:
    explicit Loader(std::map<std::string, PageNumber> roots) : roots_(std::move(roots)) {}

    PageFile file_;
    std::map<std::string, PageNumber> roots_;
    std::map<std::string, TableBuilder> tables_;
    std::map<std::string, IndexBuilder> indexes_;
};

}  // namespace wattproof::store::pages
