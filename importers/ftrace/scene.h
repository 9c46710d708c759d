// What every part of the replay writes to.
#pragma once

#include "importers/ftrace/record.h"
#include "importers/ftrace/threads.h"
#include "importers/trace/trace_builder.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace wattproof::importers::ftrace {

// A value of an argument: JSON text, made by number() or quoted().
struct Argument {
    std::string_view key;
    std::string json;
};

[[nodiscard]] std::string quoted(std::string_view text);

struct Scene {
    Scene(store::BulkWriter &w, SourceId s, TraceBuilder &b, Threads &t, Texts &x)
        : writer(w), source(s), builder(b), threads(t), texts(x) {}

    store::BulkWriter &writer;
    SourceId source;
    TraceBuilder &builder;
    Threads &threads;
    Texts &texts;

    [[nodiscard]] RawEvent event(TrackId, Ns ts, StringId name, std::string_view category, std::uint64_t offset);
    [[nodiscard]] ArgSetId arguments(std::initializer_list<Argument>);
    [[nodiscard]] TrackId addTrack(TrackKind, std::string name, ProcessId process = {});
    // The one device of a kind that this file speaks of by a number ("GPU 0", "CPU").
    [[nodiscard]] DeviceId device(DeviceKind, std::string name, std::string nativeId);

private:
    std::unordered_map<std::string, DeviceId> devices_;
};

}  // namespace wattproof::importers::ftrace
