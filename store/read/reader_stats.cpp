#include "store/read/name_statistics.h"
#include "store/read/sqlite_reader.h"

#include <unordered_map>

namespace wattproof::store {
namespace {

std::string conditionFor(const std::vector<TrackId> &tracks) {
    if (tracks.empty())
        return " ORDER BY t.id";
    std::string list;
    for (const TrackId track : tracks)
        list += (list.empty() ? "" : ", ") + std::to_string(track.value);
    return " WHERE t.id IN (" + list + ") ORDER BY t.id";
}

Status addTrack(sqlite::Statement &statement, const TrackSpan &track, NameStatistics &statistics) {
    statistics.beginTrack();
    while (statement.step()) {
        const Ns begin = statement.integer(4);
        statistics.add({statement.integer(0), statement.integer(1), statement.integer(2), statement.int32(3),
                        track.map.toWorkspace(TimeRange{begin, begin + statement.integer(5)})});
    }
    return statement.status();
}

}  // namespace

Expected<std::vector<NameStats>> SqliteReader::statsByName(TimeRange range, const std::vector<TrackId> &tracks,
                                                           std::stop_token stop) {
    auto spans = trackSpans(conditionFor(tracks));
    if (!spans)
        return passOn(spans);
    NameStatistics statistics(range);
    const sqlite::Interruptible interruptible(*database_, stop);
    for (const TrackSpan &track : *spans) {
        auto scan = scanOf(track, range);
        if (!scan)
            return passOn(scan);
        auto statement = database_->prepare(scan->sql("id, parent_id, name_id, row, ts, dur"));
        if (!statement)
            return passOn(statement);
        if (Status status = addTrack(*statement, track, statistics); !status)
            return passOn(status);
    }
    std::vector<NameStats> list = statistics.results();
    if (Status status = nameAndPrice(list, *spans, range); !status)
        return passOn(status);
    return list;
}

// Texts, and the joules that the last analysis gave the slices of the area.
Status SqliteReader::nameAndPrice(std::vector<NameStats> &list, const std::vector<TrackSpan> &spans,
                                  TimeRange range) const {
    std::unordered_map<std::int64_t, TimeMap> maps;
    for (const TrackSpan &span : spans)
        maps.emplace(span.id.value, span.map);
    auto energies = database_->prepare(
        "SELECT e.j, s.name_id, s.track_id, s.ts, s.dur FROM energy_part e CROSS JOIN slice s ON s.id = "
        "e.slice_id "
        "WHERE e.slice_id IS NOT NULL");
    if (!energies)
        return passOn(energies);
    std::unordered_map<std::int64_t, double> joules;
    while (energies->step()) {
        const auto map = maps.find(energies->integer(2));
        if (map == maps.end())
            continue;
        const Ns begin = energies->integer(3);
        const TimeRange part = map->second.toWorkspace(TimeRange{begin, begin + energies->integer(4)});
        if (part.overlaps(range) || range.contains(part.begin))
            joules[energies->integer(1)] += energies->real(0);
    }
    auto statement = database_->prepare("SELECT text FROM string WHERE id = ?");
    if (!statement)
        return passOn(statement);
    for (NameStats &stats : list) {
        statement->reset();
        statement->bindAll(stats.name);
        if (statement->step())
            stats.text = statement->string(0);
        const auto known = joules.find(stats.name.value);
        if (known != joules.end())
            stats.joules = known->second;
    }
    return energies->status();
}

}  // namespace wattproof::store
