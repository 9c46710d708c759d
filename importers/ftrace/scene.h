// What every part of the replay writes to.
#pragma once

#include "importers/ftrace/record.h"
#include "importers/ftrace/threads.h"
#include "importers/ftrace/tracks.h"
#include "importers/trace/trace_builder.h"

namespace wattproof::importers::ftrace {

struct Scene {
    Tracks &tracks;
    TraceBuilder &builder;
    Threads &threads;
    Texts &texts;

    [[nodiscard]] RawEvent event(TrackId track, Ns ts, StringId name, std::string_view category,
                                 std::uint64_t offset) {
        return {track, ts, name, tracks.writer().intern(category), {}, {offset}};
    }
};

}  // namespace wattproof::importers::ftrace
