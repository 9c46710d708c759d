// Where the user's notes stand when sources come and go. A note on a track carries an anchor: the hash of the
// source, the track's path there and the stated time. It loses its track with the source, stays where it was on
// the time axis, and finds its track again when the source is read anew.
#pragma once

#include "store/result.h"
#include "store/rows.h"
#include "store/sqlite/database.h"
#include "store/time.h"

#include <optional>
#include <string>
#include <unordered_map>

#include <nlohmann/json_fwd.hpp>

namespace wattproof::store {

class NoteMover {
public:
    // `old`: the source that goes; none: none does. `next`: the one that comes, in its place where both are given.
    NoteMover(const sqlite::Database &database, SourceId old, SourceId next)
        : database_(database), old_(old), next_(next) {}

    // Reads both sources; to be called first, while both are there.
    [[nodiscard]] Status prepare();
    // All rows of the table `annotation`.
    [[nodiscard]] Status moveAll();
    // One row as an object of its columns; others than those concerned stay as they are.
    [[nodiscard]] Status move(nlohmann::json &row);

private:
    struct Side {
        std::string sha256;
        Ns statedBase = 0;
        bool wall = false;
        TimeMap map;
    };

    [[nodiscard]] Expected<std::optional<Side>> sideOf(SourceId) const;
    [[nodiscard]] Expected<bool> isOnOld(const nlohmann::json &row) const;
    void detach(nlohmann::json &row) const;
    [[nodiscard]] Status attach(nlohmann::json &row);
    [[nodiscard]] Status readPaths();

    const sqlite::Database &database_;
    SourceId old_, next_;
    std::optional<Side> from_, to_;
    std::optional<std::unordered_map<std::string, std::int64_t>> tracks_;  // of the next source, by path
};

}  // namespace wattproof::store
