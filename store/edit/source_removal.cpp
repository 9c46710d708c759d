#include "store/edit/source_removal.h"

#include "store/edit/analysis_store_impl.h"
#include "store/edit/edit_log.h"
#include "store/edit/note_anchors.h"
#include "store/edit/shared_devices.h"
#include "store/schema/schema.h"

#include <string_view>

namespace wattproof::store {
namespace {

using nlohmann::json;

class Withdrawal {
public:
    Withdrawal(const sqlite::Database &database, SourceId old, SourceId next)
        : database_(database), log_(database), notes_(database, old, next), old_(old), next_(next) {}

    Status run() {
        Status status = readAlignments();
        if (status)
            status = notes_.prepare();
        if (status)
            status = notes_.moveAll();
        if (status)
            status = moveAlignment();
        if (status)
            status = retireRows();
        if (status)
            status = handOverDevices(database_, old_);
        if (status)
            status = log_.rewrite([this](RowChange &change) { return revise(change); });
        return status ? clearAnalysis(database_) : status;
    }

private:
    Status readAlignments() {
        auto old = log_.rowOf("alignment", {{"source_id", old_.value}});
        if (!old)
            return passOn(old);
        if (old->is_null())
            return failure("there is no such source", {}, "choose one of the workspace's sources");
        before_ = std::move(*old);
        if (!next_.valid())
            return {};
        auto next = log_.rowOf("alignment", {{"source_id", next_.value}});
        if (!next)
            return passOn(next);
        fresh_ = std::move(*next);
        auto clocks = database_.integer(
            "SELECT count(DISTINCT clock IN ('epoch', 'wall_assumed_zone')) FROM source WHERE id IN (" +
            std::to_string(old_.value) + ", " + std::to_string(next_.value) + ")");
        if (!clocks)
            return passOn(clocks);
        sameClock_ = clocks->value_or(0) == 1;
        return {};
    }

    // An alignment of the old source as one of the next. What was found or set stands for the same stated times;
    // what followed from the clocks alone follows from them anew.
    [[nodiscard]] json carried(const json &row) const {
        const json method = row.is_object() ? row.value("method", json()) : json();
        if (!sameClock_ || !method.is_string() || method == "none" || method == "wall-clock")
            return fresh_;
        json moved = row;
        moved["source_id"] = next_.value;
        moved["base_ns"] = fresh_["base_ns"];
        const json anchor = row.value("anchor_ns", json());
        if (anchor.is_number_integer())
            moved["anchor_ns"] = anchor.get<Ns>() + before_["base_ns"].get<Ns>() - fresh_["base_ns"].get<Ns>();
        return moved;
    }

    Status moveAlignment() { return next_.valid() ? log_.put("alignment", carried(before_)) : Status(); }

    // Everything that names the source goes at once; what only its ranges name becomes invisible and waits.
    Status retireRows() const {
        const std::string old = std::to_string(old_.value);
        const std::string aliases =
            next_.valid() ? "UPDATE OR REPLACE device_alias SET source_id = " + std::to_string(next_.value)
                          : std::string("DELETE FROM device_alias");
        return database_.execute(
            aliases + " WHERE source_id = " + old +
            "; INSERT OR REPLACE INTO removed_range SELECT name, first_id, last_id FROM source_range "
            "WHERE source_id = " +
            old +
            " AND name NOT IN ('source', 'device')"
            "; DELETE FROM source_range WHERE source_id = " +
            old + "; DELETE FROM alignment WHERE source_id = " + old + "; DELETE FROM source WHERE id = " + old);
    }

    Expected<bool> revise(RowChange &change) {
        if (change.table == "annotation") {
            Status status = change.row.is_object() ? notes_.move(change.row) : Status();
            if (!status)
                return passOn(status);
            return true;
        }
        if (change.table != "alignment" && change.table != "device_alias")
            return true;
        if (change.key.is_object() && change.key.value("source_id", json()) == old_.value) {
            if (!next_.valid())
                return false;
            change.key["source_id"] = next_.value;
            if (change.row.is_object())
                change.row = change.table == "alignment" ? carried(change.row) : renamed(change.row);
        }
        return change.table == "alignment" ? Expected<bool>(true) : deviceStays(change.row);
    }

    [[nodiscard]] json renamed(json alias) const {
        alias["source_id"] = next_.value;
        return alias;
    }

    [[nodiscard]] Expected<bool> deviceStays(const json &alias) const {
        const json device = alias.is_object() ? alias.value("device_id", json()) : json();
        if (!device.is_number_integer())
            return true;
        const std::string id = std::to_string(device.get<std::int64_t>());
        auto found = database_.integer("SELECT 1 FROM device WHERE id = " + id);
        if (!found)
            return passOn(found);
        return found->has_value();
    }

    const sqlite::Database &database_;
    EditLog log_;
    NoteMover notes_;
    SourceId old_, next_;
    json before_, fresh_;  // the alignments of the two as they stand
    bool sameClock_ = false;
};

struct Range {
    std::string name;
    std::int64_t first = 0, last = 0;
};

Expected<std::optional<Range>> nextRange(const sqlite::Database &database) {
    auto statement = database.prepare("SELECT name, first_id, last_id FROM removed_range LIMIT 1");
    if (!statement)
        return passOn(statement);
    std::optional<Range> range;
    if (statement->step())
        range = Range{statement->string(0), statement->integer(1), statement->integer(2)};
    if (Status status = statement->status(); !status)
        return passOn(status);
    return range;
}

// Names and shapes of arguments are nobody's own.
bool isShared(std::string_view counter) {
    return counter == "string" || counter == "arg_shape";
}

Expected<std::int64_t> sweepRange(const sqlite::Database &database, const Range &range, std::int64_t rows) {
    for (const auto &table : schema::numberedTables()) {
        if (table.counter != range.name || isShared(table.counter))
            continue;
        const std::string id = table.idColumn, name = table.name;
        auto statement = database.prepare("DELETE FROM " + name + " WHERE " + id + " IN (SELECT " + id + " FROM " +
                                          name + " WHERE " + id + " BETWEEN ? AND ? LIMIT ?)");
        if (!statement)
            return passOn(statement);
        if (!statement->bindAll(range.first, range.last, rows).run()) {
            Status status = statement->status();
            return passOn(status);
        }
        auto deleted = database.integer("SELECT changes()");
        if (!deleted || deleted->value_or(0) > 0)
            return deleted ? Expected<std::int64_t>(**deleted) : passOn(deleted);
    }
    return 0;
}

Status forget(const sqlite::Database &database, const Range &range) {
    auto statement = database.prepare("DELETE FROM removed_range WHERE name = ? AND first_id = ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(range.name, range.first).run();
    return statement->status();
}

}  // namespace

Status withdraw(const sqlite::Database &database, SourceId old, SourceId next) {
    return Withdrawal(database, old, next).run();
}

Status welcome(const sqlite::Database &database, SourceId next) {
    NoteMover notes(database, SourceId(), next);
    Status status = notes.prepare();
    if (status)
        status = notes.moveAll();
    if (!status)
        return status;
    return EditLog(database).rewrite([&notes](RowChange &change) -> Expected<bool> {
        Status moved = change.table == "annotation" && change.row.is_object() ? notes.move(change.row) : Status();
        if (!moved)
            return passOn(moved);
        return true;
    });
}

Expected<std::int64_t> sweep(const sqlite::Database &database, std::int64_t rows) {
    for (;;) {
        auto range = nextRange(database);
        if (!range)
            return passOn(range);
        if (!*range)
            return 0;
        auto deleted = sweepRange(database, **range, rows);
        if (!deleted || *deleted > 0)
            return deleted;
        if (Status status = forget(database, **range); !status)
            return passOn(status);
    }
}

Expected<std::int64_t> rowsToSweep(const sqlite::Database &database) {
    auto rows = database.integer("SELECT CAST(total(1.0 + last_id - first_id) AS INTEGER) FROM removed_range");
    if (!rows)
        return passOn(rows);
    return rows->value_or(0);
}

}  // namespace wattproof::store
