// Devices, counters and tracks that parts of one import share: each is made once, under the name by which a part
// asks. Texts may be any bytes of the file; what is written is UTF-8.
#pragma once

#include "store/bulk_writer.h"

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wattproof::importers::ftrace {

// A value of an argument as JSON text: a number as it stands, or quoted().
struct Argument {
    std::string_view key;
    std::string json;
};

[[nodiscard]] std::string quoted(std::string_view text);

class Tracks {
public:
    // host: of a trace of several machines, the one that all this belongs to; empty: the machine that recorded.
    Tracks(store::BulkWriter &writer, SourceId source, std::string host = {})
        : writer_(writer), source_(source), host_(std::move(host)) {}

    // Of this file, by its label: "GPU 0", "CPU".
    [[nodiscard]] DeviceId device(DeviceKind, const std::string &name, const std::string &nativeId);
    // A device that is made already or not: what is known better by now.
    DeviceId describe(DeviceKind, const std::string &name, const std::string &nativeId,
                      const std::function<void(DeviceRow &)> &change);

    // A counter by a key of the caller's; `fill` is asked for its row when it is new. The source is set.
    [[nodiscard]] CounterId counter(const std::string &key, const std::function<void(CounterRow &)> &fill);

    // On a machine that did not record, names say which it is.
    [[nodiscard]] TrackId addTrack(TrackKind, const std::string &name, ProcessId process = {});
    // The same, one for each (kind, name, process).
    [[nodiscard]] TrackId track(TrackKind, const std::string &name, ProcessId process = {});

    [[nodiscard]] ArgSetId arguments(std::span<const Argument>);
    [[nodiscard]] ArgSetId arguments(std::initializer_list<Argument> all) {
        return arguments(std::span(all.begin(), all.size()));
    }

    [[nodiscard]] store::BulkWriter &writer() { return writer_; }
    [[nodiscard]] SourceId source() const { return source_; }

private:
    [[nodiscard]] std::string label(const std::string &name) const;

    store::BulkWriter &writer_;
    SourceId source_;
    std::string host_;
    std::unordered_map<std::string, DeviceRow> devices_;
    std::unordered_map<std::string, CounterId> counters_;
    std::unordered_map<std::string, TrackId> tracks_;
};

}  // namespace wattproof::importers::ftrace
