#include "store/edit/analysis_store_impl.h"

namespace wattproof::store {
namespace {

template <class Row, class Bind>
Status insertAll(const sqlite::Database &database, const char *sql, const std::vector<Row> &rows, Bind bind) {
    auto statement = database.prepare(sql);
    if (!statement)
        return passOn(statement);
    for (const Row &row : rows) {
        bind(*statement, row);
        if (!statement->run())
            return statement->status();
    }
    return {};
}

void bindState(sqlite::Statement &statement, const DeviceStateRow &row) {
    statement.bindAll(row.device, row.ts, row.dur, row.state, row.cause);
}

void bindEnergy(sqlite::Statement &statement, const EnergyRow &row) {
    statement.bindAll(row.path, row.slice, row.device, row.domain, row.ts, row.dur, row.j, row.jLow, row.jHigh);
}

void bindClamp(sqlite::Statement &statement, const ClampRow &row) {
    statement.bindAll(row.device, row.ts, row.dur, row.clampClass, row.reason, row.lostClock);
}

void bindFinding(sqlite::Statement &statement, const FindingRow &row) {
    statement.bindAll(row.rank, row.key, row.rule, row.bottleneckClass, row.title, row.recoverableJLow,
                      row.recoverableJHigh, row.gainLow, row.gainHigh, row.confidence, row.json);
}

Status replaceAll(const sqlite::Database &database, const AnalysisRows &rows) {
    Status status = clearAnalysis(database);
    if (status)
        status =
            insertAll(database, "INSERT INTO device_state(device_id, ts, dur, state, cause) VALUES(?,?,?,?,?)",
                      rows.deviceStates, bindState);
    if (status)
        status = insertAll(database,
                           "INSERT INTO energy_part(path, slice_id, device_id, domain, ts, dur, j, j_low, j_high) "
                           "VALUES(?,?,?,?,?,?,?,?,?)",
                           rows.energy, bindEnergy);
    if (status)
        status = insertAll(database,
                           "INSERT INTO clamp(device_id, ts, dur, class, reason, lost_clock) VALUES(?,?,?,?,?,?)",
                           rows.clamps, bindClamp);
    if (status)
        status =
            insertAll(database,
                      "INSERT INTO finding(rank, key, rule, bottleneck_class, title, recoverable_j_low, "
                      "recoverable_j_high, gain_low, gain_high, confidence, json) VALUES(?,?,?,?,?,?,?,?,?,?,?)",
                      rows.findings, bindFinding);
    if (status)
        status = insertAll(database, "INSERT OR REPLACE INTO document VALUES('analysis', ?)",
                           std::vector<std::string>{rows.resultJson},
                           [](sqlite::Statement &statement, const std::string &json) { statement.bindAll(json); });
    return status;
}

template <class Row, class Read>
Expected<std::vector<Row>> readAll(WriteAccess &access, const char *sql, Read read) {
    const std::lock_guard lock(access.mutex);
    auto statement = access.database->prepare(sql);
    if (!statement)
        return passOn(statement);
    std::vector<Row> rows;
    while (statement->step())
        rows.push_back(read(*statement));
    if (Status status = statement->status(); !status)
        return passOn(status);
    return rows;
}

}  // namespace

Status clearAnalysis(const sqlite::Database &database) {
    return database.execute(
        "DELETE FROM device_state; DELETE FROM energy_part; DELETE FROM clamp; DELETE FROM finding; "
        "DELETE FROM document WHERE key = 'analysis'");
}

Status AnalysisStoreImpl::replace(const AnalysisRows &rows) {
    return access_.write([&](const sqlite::Database &database) -> Status {
        if (rows.withdrawals && *rows.withdrawals != access_.place->withdrawals)
            return failure("a source was removed while the workspace was analysed", access_.place->path(),
                           "analyse it again");
        return replaceAll(database, rows);
    });
}

Expected<std::vector<DeviceStateRow>> AnalysisStoreImpl::deviceStates() {
    return readAll<DeviceStateRow>(
        access_, "SELECT device_id, ts, dur, state, cause FROM device_state ORDER BY id",
        [](const sqlite::Statement &s) {
            return DeviceStateRow{s.id<DeviceId>(0), s.integer(1), s.integer(2), s.string(3), s.string(4)};
        });
}

Expected<std::vector<ClampRow>> AnalysisStoreImpl::clamps() {
    return readAll<ClampRow>(access_,
                             "SELECT device_id, ts, dur, class, reason, lost_clock FROM clamp ORDER BY ts, id",
                             [](const sqlite::Statement &s) {
                                 return ClampRow{s.id<DeviceId>(0), s.integer(1), s.integer(2),
                                                 s.string(3),       s.string(4),  s.optionalReal(5)};
                             });
}

Expected<std::vector<FindingRow>> AnalysisStoreImpl::findings() {
    return readAll<FindingRow>(access_,
                               "SELECT rank, key, rule, bottleneck_class, title, recoverable_j_low, "
                               "recoverable_j_high, gain_low, gain_high, "
                               "confidence, json FROM finding ORDER BY rank, id",
                               [](const sqlite::Statement &s) {
                                   return FindingRow{s.int32(0),        s.string(1),       s.string(2),
                                                     s.string(3),       s.string(4),       s.optionalReal(5),
                                                     s.optionalReal(6), s.optionalReal(7), s.optionalReal(8),
                                                     s.string(9),       s.string(10)};
                               });
}

Expected<std::optional<std::string>> AnalysisStoreImpl::resultJson() {
    auto rows = readAll<std::string>(access_, "SELECT value FROM document WHERE key = 'analysis'",
                                     [](const sqlite::Statement &s) { return s.string(0); });
    if (!rows)
        return passOn(rows);
    return rows->empty() ? std::nullopt : std::optional(rows->front());
}

}  // namespace wattproof::store
