#include "store/workspace.h"

#include "store/bulk_writer.h"
#include "store/edit/analysis_store_impl.h"
#include "store/edit/edits_impl.h"
#include "store/edit/shared_devices.h"
#include "store/edit/source_removal.h"
#include "store/file_check.h"
#include "store/place.h"
#include "store/read/sqlite_reader.h"
#include "store/replace_file.h"
#include "store/schema/schema.h"
#include "store/writer/import_writer.h"

#include <atomic>
#include <chrono>
#include <functional>

namespace wattproof::store {
namespace {

constexpr std::int64_t kLeftoversAtOnce = 200'000;
constexpr std::int64_t kSweptAtOnce = 1'000;
constexpr std::chrono::milliseconds kSweepTime{50};

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

// One transaction, behind the edits of the same process.
template <class Change>
Status inTurn(WriteGate &gate, const sqlite::Database &database, Change change) {
    gate.enterAsImport();
    const WriteGate::Pass pass(gate);
    sqlite::Transaction transaction(database);
    if (!transaction.begun())
        return transaction.begun();
    if (Status status = change(); !status)
        return status;
    return transaction.commit();
}

// In steps, so that edits get their turn.
Status removeLeftovers(WriteGate &gate, const sqlite::Database &database) {
    for (bool clean = false; !clean;) {
        Status status = inTurn(gate, database, [&]() -> Status {
            auto done = schema::removeLeftovers(database, kLeftoversAtOnce);
            if (!done)
                return passOn(done);
            clean = *done;
            return {};
        });
        if (!status)
            return status;
    }
    return {};
}

// Deletes rows until the time of one transaction is over; says how many, 0 when nothing is left.
Expected<std::int64_t> sweepForAWhile(const sqlite::Database &database) {
    const auto begun = std::chrono::steady_clock::now();
    std::int64_t all = 0;
    do {
        auto deleted = sweep(database, kSweptAtOnce);
        if (!deleted || *deleted == 0)
            return deleted ? Expected<std::int64_t>(all) : deleted;
        all += *deleted;
    } while (std::chrono::steady_clock::now() - begun < kSweepTime);
    return all;
}

// What a cancel leaves is swept at the next opening: nobody sees it.
Status sweepAll(WriteGate &gate, const sqlite::Database &database, const Task &task) {
    auto total = rowsToSweep(database);
    if (!total)
        return passOn(total);
    std::int64_t done = 0;
    for (bool clean = *total == 0; !clean && !task.cancelled();) {
        Status status = inTurn(gate, database, [&]() -> Status {
            auto deleted = sweepForAWhile(database);
            if (!deleted)
                return passOn(deleted);
            clean = *deleted == 0;
            done += *deleted;
            return {};
        });
        if (!status)
            return status;
        task.report(
            {"Deleting rows", static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(*total), "rows"});
    }
    return {};
}

Status sweepIn(Place &place, const Task &task) {
    auto database = place.connectToWrite();
    if (!database)
        return passOn(database);
    return sweepAll(place.gate, **database, task);
}

// The complete sources above the mark.
Expected<std::vector<SourceId>> sourcesAfter(const sqlite::Database &database, std::int64_t mark) {
    auto statement = database.prepare("SELECT source_id FROM alignment WHERE source_id > ? ORDER BY source_id");
    if (!statement)
        return passOn(statement);
    statement->bindAll(mark);
    std::vector<SourceId> sources;
    while (statement->step())
        sources.push_back(statement->id<SourceId>(0));
    if (Status status = statement->status(); !status)
        return passOn(status);
    return sources;
}

Status welcomeAfter(const sqlite::Database &database, std::int64_t mark) {
    auto added = sourcesAfter(database, mark);
    if (!added)
        return passOn(added);
    for (const SourceId source : *added)
        if (Status status = welcome(database, source); !status)
            return status;
    return {};
}

Status replaceAfter(const sqlite::Database &database, std::int64_t mark, SourceId old) {
    auto added = sourcesAfter(database, mark);
    if (!added)
        return passOn(added);
    if (added->size() != 1)
        return failure("not one source was read to take the place of another", database.path(), "name one file");
    return withdraw(database, old, added->front());
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

    // One import or removal at a time; the answer gives the turn back when it goes.
    [[nodiscard]] Expected<std::shared_ptr<void>> takeTurn() const {
        if (importing->exchange(true))
            return failure("another import is still running", place().path(),
                           "wait until it has finished, or cancel it");
        return std::shared_ptr<void>(nullptr, [flag = importing](void *) { *flag = false; });
    }
    // A writer of further sources. `ending`: the last act of its last transaction, handed the id above which they
    // are; `replaced` is not known to it.
    [[nodiscard]] Expected<std::unique_ptr<BulkWriter>> writer(
        SourceId replaced, std::function<Status(const sqlite::Database &, std::int64_t)> ending,
        std::stop_token stop) const;
};

Expected<std::unique_ptr<BulkWriter>> Workspace::Impl::writer(
    SourceId replaced, std::function<Status(const sqlite::Database &, std::int64_t)> ending,
    std::stop_token stop) const {
    auto writing = place().connectToWrite();
    if (!writing)
        return passOn(writing);
    auto turn = takeTurn();
    if (!turn)
        return passOn(turn);
    auto reading = place().connectToRead();
    if (!reading)
        return passOn(reading);
    auto mark = (*reading)->integer("SELECT last_id FROM high_water WHERE name = 'source'");
    if (!mark)
        return passOn(mark);
    const auto where = access.place;
    const auto held = std::make_shared<std::shared_ptr<void>>(std::move(*turn));
    Ending steps{[ending = std::move(ending), mark = mark->value_or(0)](Inserts &inserts) {
                     return ending(inserts.database(), mark);
                 },
                 [where, held] {
                     ++where->revision;
                     Status swept = sweepIn(*where, {});
                     held->reset();
                     return swept;
                 },
                 [where, held] {
                     if (auto database = where->connectToWrite())
                         (void)removeLeftovers(where->gate, **database);
                     held->reset();
                 }};
    auto queue = std::make_unique<InsertQueue>(std::move(*writing), place().gate, std::move(stop));
    auto made = std::make_unique<ImportWriter>(std::move(queue), std::move(steps));
    if (Status status = made->continueFrom(**reading, replaced); !status)
        return passOn(status);
    return made;
}

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
    if (status && writes)
        status = sweepAll((*place)->gate, **database, {});
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

Expected<std::unique_ptr<BulkWriter>> Workspace::addSources(std::stop_token stop) {
    return impl_->writer({}, &welcomeAfter, std::move(stop));
}

Expected<std::unique_ptr<BulkWriter>> Workspace::replaceSource(SourceId old, std::stop_token stop) {
    return impl_->writer(old,
                         [old, where = impl_->access.place](const sqlite::Database &database, std::int64_t mark) {
                             ++where->withdrawals;
                             return replaceAfter(database, mark, old);
                         },
                         std::move(stop));
}

Status Workspace::removeSource(SourceId source, const Task &task) {
    auto turn = impl_->takeTurn();
    if (!turn)
        return passOn(turn);
    Status status = impl_->access.write([&](const sqlite::Database &database) {
        ++impl_->place().withdrawals;
        return withdraw(database, source, {});
    });
    return status ? sweepIn(impl_->place(), task) : status;
}

Expected<std::vector<SharedDevice>> Workspace::sharedDevices(SourceId source) const {
    auto reading = impl_->place().connectToRead();
    if (!reading)
        return passOn(reading);
    return store::sharedDevices(**reading, source);
}

std::int64_t Workspace::withdrawals() const {
    return impl_->place().withdrawals;
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

Expected<std::vector<std::string>> Workspace::check(const std::stop_token &stop) const {
    auto reading = impl_->place().connectToRead();
    if (!reading)
        return passOn(reading);
    return checkPages(**reading, stop);
}

}  // namespace wattproof::store
