#include "importers/ftrace/tracks.h"

#include "importers/text/mended.h"

namespace wattproof::importers::ftrace {

std::string quoted(std::string_view text) {
    std::string out;
    appendMended(out, text);
    return out;
}

std::string Tracks::label(const std::string &name) const {
    return mendedText(host_.empty() ? name : name + " (" + host_ + ')');
}

DeviceId Tracks::describe(DeviceKind kind, const std::string &name, const std::string &nativeId,
                          const std::function<void(DeviceRow &)> &change) {
    DeviceRow &row = devices_[name];
    const bool known = row.id.valid();
    if (!known) {
        row.source = source_;
        row.host = host_;
        row.kind = kind;
        row.name = label(name);
        row.nativeId = mendedText(nativeId);
    }
    if (change) {
        change(row);
        for (std::string *text : {&row.model, &row.uuid, &row.pci})
            *text = mendedText(*text);
    }
    if (!known)
        row.id = writer_.addDevice(row);
    else if (change)
        writer_.updateDevice(row);
    return row.id;
}

DeviceId Tracks::device(DeviceKind kind, const std::string &name, const std::string &nativeId) {
    return describe(kind, name, nativeId, {});
}

CounterId Tracks::counter(const std::string &key, const std::function<void(CounterRow &)> &fill) {
    CounterId &held = counters_[key];
    if (!held.valid()) {
        CounterRow row;
        row.source = source_;
        row.unit = "1";
        fill(row);
        row.name = label(row.name);
        for (std::string *text : {&row.domain, &row.unit, &row.sensor.note})
            *text = mendedText(*text);
        held = writer_.addCounter(row);
    }
    return held;
}

TrackId Tracks::addTrack(TrackKind kind, const std::string &name, ProcessId process) {
    TrackRow row;
    row.source = source_;
    row.kind = kind;
    row.name = label(name);
    row.process = process;
    return writer_.addTrack(row);
}

TrackId Tracks::track(TrackKind kind, const std::string &name, ProcessId process) {
    TrackId &held =
        tracks_[std::to_string(static_cast<int>(kind)) + ' ' + std::to_string(process.value) + ' ' + name];
    if (!held.valid())
        held = addTrack(kind, name, process);
    return held;
}

ArgSetId Tracks::arguments(std::span<const Argument> all) {
    std::string keys = "[", values = "[";
    for (const Argument &argument : all) {
        const char *const comma = keys.size() > 1 ? "," : "";
        (keys += comma) += quoted(argument.key);
        (values += comma) += argument.json;
    }
    return writer_.addArgs(writer_.internArgShape(keys + "]"), values + "]");
}

}  // namespace wattproof::importers::ftrace
