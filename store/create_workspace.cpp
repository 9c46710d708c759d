// A new workspace: built beside its place, moved there when it is complete.
#include "store/replace_file.h"
#include "store/schema/schema.h"
#include "store/workspace.h"
#include "store/writer/import_writer.h"

#include <cstdio>
#include <utility>

namespace wattproof::store {
namespace {

// No journal: what fails is thrown away whole.
Expected<std::unique_ptr<sqlite::Database>> openBuilding(const std::string &building) {
    auto database = sqlite::Database::open(building, sqlite::OpenAs::New);
    if (!database)
        return database;
    Status status = (*database)->execute(
        "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192; BEGIN EXCLUSIVE");
    if (!status)
        return passOn(status);
    return database;
}

// The schema, and then the file without SQLite.
Expected<std::unique_ptr<pages::Loader>> prepare(const std::string &building) {
    auto database = openBuilding(building);
    if (!database)
        return passOn(database);
    Status status = schema::create(**database);
    if (status)
        status = (*database)->execute("COMMIT");
    if (!status)
        return passOn(status);
    auto roots = pages::Loader::rootsOf(**database);
    if (!roots)
        return passOn(roots);
    database->reset();
    return pages::Loader::open(building, std::move(*roots));
}

Status finish(Inserts &inserts) {
    Status status = schema::createIndexes(inserts.database());
    return status ? inserts.database().execute("COMMIT") : status;
}

}  // namespace

Expected<std::unique_ptr<BulkWriter>> createWorkspace(const std::string &path, std::stop_token stop) {
    if (Status status = checkTarget(path); !status)
        return passOn(status);
    removeStale(path);
    const std::string building = buildingPath(path);
    std::remove(building.c_str());
    auto loader = prepare(building);
    if (!loader) {
        std::remove(building.c_str());
        return passOn(loader);
    }
    auto queue = std::make_unique<InsertQueue>(
        std::move(*loader), [building] { return openBuilding(building); }, std::move(stop));
    Ending ending{&finish, [building, path] { return moveIntoPlace(building, path); },
                  [building] { std::remove(building.c_str()); }};
    return std::make_unique<ImportWriter>(std::move(queue), std::move(ending));
}

}  // namespace wattproof::store
