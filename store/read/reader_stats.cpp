#include "store/read/sqlite_reader.h"

#include <unordered_map>

namespace wattproof::store {
Expected<std::vector<NameStats>> SqliteReader::statsByName(TimeRange range, const std::vector<TrackId> &tracks,
                                                           std::stop_token stop) {
    auto spans = trackSpans(tracksCondition(tracks));
    if (!spans)
        return passOn(spans);
    auto lastName = database_->integer("SELECT max(id) FROM string");
    if (!lastName)
        return passOn(lastName);
    NameStatistics statistics(range, lastName->value_or(0));
    if (Status status = gather(statistics, *spans, range, stop); !status)
        return passOn(status);
    std::vector<NameStats> list = statistics.results();
    const sqlite::Interruptible interruptible(*database_, std::move(stop));
    if (Status status = nameAndPrice(list, *spans, range); !status)
        return passOn(status);
    return list;
}

Status SqliteReader::gather(NameStatistics &statistics, const std::vector<TrackSpan> &spans, TimeRange range,
                            const std::stop_token &stop) {
    using enum SliceColumn;
    SliceBlocks blocks(*database_, {Name, Dur, Ts, Row, Parent});
    Status status = eachSlice(
        blocks, spans, range, stop, [&](const TrackSpan &) { statistics.beginTrack(); },
        [&](const TrackSpan &track, std::size_t i) {
            const std::int64_t id = blocks.id(i), parent = blocks[Parent][i];
            statistics.add({id, parent == 0 ? 0 : id - parent, blocks[Name][i],
                            static_cast<std::int32_t>(blocks[Row][i]), track.map.toWorkspace(blocks.range(i))});
        });
    if (!status || !statistics.prepareSecondPass())
        return status;
    // While `blocks` lives, both passes see the same file.
    SliceBlocks durations(*database_, {Name, Dur, Ts});
    return eachSlice(
        durations, spans, range, stop, [](const TrackSpan &) {},
        [&](const TrackSpan &track, std::size_t i) {
            statistics.addAgain(durations[Name][i], track.map.toWorkspace(durations.range(i)).length());
        });
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
