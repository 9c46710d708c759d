// The small tables of a run with every kind of node a track tree has.
#pragma once

#include "widgets/plot/run_tables.h"

#include <string>

namespace wattproof::test {

inline TrackRow trackRow(int id, TrackKind kind, const std::string &name, int rows = 1) {
    TrackRow row;
    row.id = TrackId(id);
    row.source = SourceId(1);
    row.kind = kind;
    row.name = name;
    row.sliceCount = 5;
    row.rowCount = rows;
    return row;
}

// One source: process 4242 with two threads, GPU 0 with three streams and a power channel of a second source.
inline widgets::RunTables trackTables() {
    widgets::RunTables t;
    SourceRow trace;
    trace.id = SourceId(1);
    trace.path = "/a/b/train.json";
    SourceRow log = trace;
    log.id = SourceId(2);
    log.path = "power.csv";
    t.sources = {trace, log};
    DeviceRow gpu;
    gpu.id = DeviceId(1);
    gpu.source = SourceId(1);
    gpu.name = "GPU 0";
    t.devices = {gpu};
    t.processes = {{ProcessId(1), SourceId(1), "4242", "python", "", std::nullopt}};
    t.threads = {{ThreadId(1), SourceId(1), ProcessId(1), "9", "", std::int64_t{2}},
                 {ThreadId(2), SourceId(1), ProcessId(1), "10", "", std::int64_t{1}}};
    for (int i = 1; i <= 2; ++i) {
        TrackRow row = trackRow(i, TrackKind::Thread, "", 3);
        row.process = ProcessId(1);
        row.thread = ThreadId(i);
        t.tracks.push_back(row);
    }
    for (const int stream : {20, 7, 100}) {
        TrackRow row = trackRow(100 + stream, TrackKind::GpuStream, "");
        row.stream = std::to_string(stream);
        row.device = DeviceId(1);
        t.tracks.push_back(row);
    }
    TrackRow power = trackRow(50, TrackKind::Counter, "power");
    power.source = SourceId(2);
    power.sliceCount = 0;
    t.tracks.push_back(power);
    CounterRow counter;
    counter.id = CounterId(1);
    counter.track = TrackId(50);
    counter.source = SourceId(2);
    counter.device = DeviceId(1);
    counter.name = "power";
    counter.unit = "W";
    counter.sampleCount = 3;
    t.counters = {counter};
    return t;
}

}  // namespace wattproof::test
