// A new workspace: built beside its place, moved there when it is complete.
#include "store/replace_file.h"
#include "store/schema/schema.h"
#include "store/workspace.h"
#include "store/writer/import_writer.h"

#include <cstdio>

namespace wattproof::store {
namespace {

Status prepare(const sqlite::Database &database) {
    const Status status = database.execute(
        "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; BEGIN "
        "EXCLUSIVE");
    return status ? schema::create(database) : status;
}

Status finish(Inserts &inserts) {
    Status status = schema::createIndexes(inserts.database());
    return status ? inserts.database().execute("COMMIT") : status;
}

}  // namespace

Expected<std::unique_ptr<BulkWriter>> createWorkspace(const std::string &path) {
    if (Status status = checkTarget(path); !status)
        return passOn(status);
    removeStale(path);
    const std::string building = buildingPath(path);
    std::remove(building.c_str());
    auto database = sqlite::Database::open(building, sqlite::OpenAs::New);
    if (!database)
        return passOn(database);
    if (Status status = prepare(**database); !status) {
        std::remove(building.c_str());
        return passOn(status);
    }
    Ending ending{&finish, [building, path] { return moveIntoPlace(building, path); },
                  [building] { std::remove(building.c_str()); }};
    return std::make_unique<ImportWriter>(std::move(*database), nullptr, std::move(ending));
}

}  // namespace wattproof::store
