// What the events table calls tracks, and which of them a text means.
#pragma once

#include "widgets/plot/run_tables.h"

#include <unordered_map>
#include <vector>

#include <QString>

namespace wattproof::widgets {

class TrackNames {
public:
    struct Names {
        QString track, group;  // "stream 7", "GPU 0"; "main", "python 4242"
    };

    TrackNames() = default;
    explicit TrackNames(const RunTables &);

    [[nodiscard]] const Names &of(TrackId) const;  // empty names for what is not known
    // Tracks whose name or group holds the text, whatever its case.
    [[nodiscard]] std::vector<TrackId> matching(const QString &) const;

private:
    std::unordered_map<TrackId, Names> names_;
};

}  // namespace wattproof::widgets
