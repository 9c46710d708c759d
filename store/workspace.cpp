#include "store/workspace.h"

#include "store/bulk_writer.h"
#include "store/edit/analysis_store_impl.h"
#include "store/edit/edits_impl.h"
#include "store/place.h"
#include "store/read/sqlite_reader.h"
#include "store/replace_file.h"
#include "store/schema/schema.h"
#include "store/writer/import_writer.h"

#include <atomic>

namespace wattproof::store {
namespace {

constexpr std::int64_t kLeftoversAtOnce = 200'000;

Status checkIdentity(const sqlite::Database &database) {
    auto application = database.integer("PRAGMA application_id");
    if (!application)
        return passOn(application);
    auto version = database.integer("PRAGMA user_version");
    if (!version)
        return passOn(version);
    if (application->value_or(0) != kApplicationId)
        return failure("this SQLite file is not a workspace", database.path(),
                       "open a .wattproof file, or import the file's data instead");
    if (version->value_or(0) > kSchemaVersion)
        return failure("the workspace was made by a newer version (its schema is " + std::to_string(**version) +
                           ", this program knows up to " + std::to_string(kSchemaVersion) + ")",
                       database.path(), "open it with a newer Wattproof");
    return schema::checkObjects(database);
}

// In steps, so that edits of the same process get their turn.
Status removeLeftovers(WriteGate &gate, const sqlite::Database &database) {
    for (bool clean = false; !clean;) {
        gate.enterAsImport();
        const WriteGate::Pass pass(gate);
        sqlite::Transaction transaction(database);
        if (!transaction.begun())
            return transaction.begun();
        auto done = schema::removeLeftovers(database, kLeftoversAtOnce);
        if (!done)
            return passOn(done);
        clean = *done;
        if (Status status = transaction.commit(); !status)
            return status;
    }
    return {};
}

}  // namespace

struct Workspace::Impl {
    explicit Impl(std::shared_ptr<Place> where, std::unique_ptr<sqlite::Database> database)
        : access{std::move(where), std::move(database), {}}, edits(access), analysis(access) {}

    WriteAccess access;
    EditsImpl edits;
    AnalysisStoreImpl analysis;
    std::shared_ptr<std::atomic<bool>> importing = std::make_shared<std::atomic<bool>>(false);

    [[nodiscard]] Place &place() const { return *access.place; }
};

Expected<std::shared_ptr<Workspace>> Workspace::open(const std::string &path, bool readOnly) {
    auto place = Place::take(path, readOnly);
    if (!place)
        return passOn(place);
    const bool writes = (*place)->mode() == OpenMode::ReadWrite;
    auto database = writes ? (*place)->connectToWrite() : (*place)->connectToRead();
    if (!database)
        return passOn(database);
    Status status = checkIdentity(**database);
    if (status && writes)
        status = (*place)->enterWal();
    if (status && writes)
        status = removeLeftovers((*place)->gate, **database);
    if (!status) {
        database->reset();
        return passOn(status);
    }
    return std::shared_ptr<Workspace>(
        new Workspace(std::make_unique<Impl>(std::move(*place), std::move(*database))));
}

Workspace::Workspace(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Workspace::~Workspace() = default;

const std::string &Workspace::path() const {
    return impl_->place().path();
}

OpenMode Workspace::openMode() const {
    return impl_->place().mode();
}

Expected<std::unique_ptr<Reader>> Workspace::reader() const {
    return SqliteReader::make(impl_->access.place);
}

Expected<std::unique_ptr<BulkWriter>> Workspace::addSources() {
    auto writing = impl_->place().connectToWrite();
    if (!writing)
        return passOn(writing);
    if (impl_->importing->exchange(true))
        return failure("another import is still running", path(), "wait until it has finished, or cancel it");
    const auto release = [flag = impl_->importing] { *flag = false; };
    Ending ending{[](Inserts &) { return Status(); },
                  [place = impl_->access.place, release] {
                      ++place->revision;
                      release();
                      return Status();
                  },
                  [place = impl_->access.place, release] {
                      if (auto database = place->connectToWrite())
                          (void)removeLeftovers(place->gate, **database);
                      release();
                  }};
    auto queue = std::make_unique<InsertQueue>(std::move(*writing), impl_->place().gate);
    auto writer = std::make_unique<ImportWriter>(std::move(queue), std::move(ending));
    auto reading = impl_->place().connectToRead();
    Status status = reading ? writer->continueFrom(**reading) : Status(passOn(reading));
    if (!status)
        return passOn(status);
    return writer;
}

Edits &Workspace::edits() {
    return impl_->edits;
}

AnalysisStore &Workspace::analysisStore() {
    return impl_->analysis;
}

std::int64_t Workspace::revision() const {
    return impl_->place().revision;
}

Status Workspace::saveAs(const std::string &path) const {
    auto reading = impl_->place().connectToRead();
    if (!reading)
        return passOn(reading);
    return copyInto(**reading, path);
}

}  // namespace wattproof::store
