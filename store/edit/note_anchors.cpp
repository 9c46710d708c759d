#include "store/edit/note_anchors.h"

#include "store/edit/edit_log.h"
#include "store/track_path.h"

#include <vector>

#include <nlohmann/json.hpp>

namespace wattproof::store {
namespace {

using nlohmann::json;

// A log or table that others wrote may hold anything.
std::optional<std::int64_t> integerIn(const json &row, const char *column) {
    const auto found = row.find(column);
    if (found == row.end() || !found->is_number_integer())
        return std::nullopt;
    return found->get<std::int64_t>();
}

// Numbers of a file may be any: sums wrap instead of being undefined.
Ns sum(Ns a, Ns b) {
    return static_cast<Ns>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

Ns difference(Ns a, Ns b) {
    return static_cast<Ns>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::string textIn(const json &row, const char *column) {
    const auto found = row.find(column);
    return found == row.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

}  // namespace

Expected<std::optional<NoteMover::Side>> NoteMover::sideOf(SourceId source) const {
    auto statement = database_.prepare(
        "SELECT s.sha256, s.stated_base, s.clock IN ('epoch', 'wall_assumed_zone'), a.base_ns, a.offset_ns, "
        "a.drift_ppb, a.anchor_ns FROM source s JOIN alignment a ON a.source_id = s.id WHERE s.id = ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(source);
    std::optional<Side> side;
    if (statement->step())
        side = Side{statement->string(0),
                    statement->integer(1),
                    statement->integer(2) != 0,
                    {statement->integer(3), statement->integer(4), statement->integer(5), statement->integer(6)}};
    if (Status status = statement->status(); !status)
        return passOn(status);
    return side;
}

Status NoteMover::prepare() {
    auto from = sideOf(old_);
    if (!from)
        return passOn(from);
    auto to = sideOf(next_);
    if (!to)
        return passOn(to);
    from_ = std::move(*from);
    to_ = std::move(*to);
    return {};
}

Status NoteMover::readPaths() {
    if (tracks_)
        return {};
    auto paths = trackPaths(database_, next_);
    if (!paths)
        return passOn(paths);
    tracks_.emplace();
    for (auto &[track, path] : *paths)
        tracks_->try_emplace(std::move(path), track.value);
    return {};
}

Expected<bool> NoteMover::isOnOld(const json &row) const {
    const auto track = integerIn(row, "track_id");
    if (!from_ || !track)
        return false;
    auto source = database_.integer("SELECT source_id FROM track WHERE id = " + std::to_string(*track));
    if (!source)
        return passOn(source);
    return source->value_or(0) == old_.value;
}

void NoteMover::detach(json &row) const {
    const Ns ts = integerIn(row, "ts").value_or(0);
    row["anchor_sha256"] = from_->sha256;
    row["anchor_ts"] = sum(ts, from_->statedBase);
    row["ts"] = from_->map.toWorkspace(ts);
    row["track_id"] = nullptr;
}

// Stated times of two clocks that have nothing in common are compared by their beginnings.
Status NoteMover::attach(json &row) {
    const auto anchored = integerIn(row, "anchor_ts");
    if (!to_ || !anchored || integerIn(row, "track_id"))
        return {};
    const std::string sha256 = textIn(row, "anchor_sha256");
    const bool replaces = from_ && sha256 == from_->sha256;
    if (sha256.empty() || (!replaces && sha256 != to_->sha256))
        return {};
    Ns stated = *anchored;
    if (replaces && from_->wall != to_->wall)
        stated = sum(stated, difference(to_->statedBase, from_->statedBase));
    row["anchor_sha256"] = to_->sha256;
    row["anchor_ts"] = stated;
    if (Status status = readPaths(); !status)
        return status;
    const auto track = tracks_->find(textIn(row, "anchor_path"));
    if (track == tracks_->end())
        return {};
    row["track_id"] = track->second;
    row["ts"] = difference(stated, to_->statedBase);
    row["anchor_ts"] = nullptr;
    return {};
}

Status NoteMover::move(json &row) {
    auto concerned = isOnOld(row);
    if (!concerned)
        return passOn(concerned);
    if (*concerned)
        detach(row);
    return attach(row);
}

Status NoteMover::moveAll() {
    auto ids = database_.prepare("SELECT id FROM annotation WHERE track_id IS NOT NULL OR anchor_ts IS NOT NULL");
    if (!ids)
        return passOn(ids);
    std::vector<std::int64_t> all;
    while (ids->step())
        all.push_back(ids->integer(0));
    if (Status status = ids->status(); !status)
        return status;
    const EditLog log(database_);
    for (const std::int64_t id : all) {
        auto row = log.rowOf("annotation", {{"id", id}});
        if (!row)
            return passOn(row);
        const json before = *row;
        if (Status status = move(*row); !status)
            return status;
        if (*row == before)
            continue;
        if (Status status = log.put("annotation", *row); !status)
            return status;
    }
    return {};
}

}  // namespace wattproof::store
