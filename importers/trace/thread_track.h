// The track of a thread as every reader writes it: named as the thread is, by its number until it has a name.
#pragma once

#include "store/rows.h"

namespace wattproof::importers {

// thread.id, process and source are set; `track` none for a track that is yet to be added.
[[nodiscard]] inline TrackRow threadTrack(const ThreadRow &thread, ProcessId process, TrackId track = {}) {
    TrackRow row;
    row.id = track;
    row.source = thread.source;
    row.kind = TrackKind::Thread;
    row.name = thread.name.empty() ? "thread " + thread.tid : thread.name;
    row.process = process;
    row.thread = thread.id;
    return row;
}

}  // namespace wattproof::importers
