#include "importers/ftrace/scene.h"

#include <array>
#include <cstdio>

namespace wattproof::importers::ftrace {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
        else {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
            out += escape.data();
        }
    }
    return out += '"';
}

RawEvent Scene::event(TrackId track, Ns ts, StringId name, std::string_view category, std::uint64_t offset) {
    return {track, ts, name, writer.intern(category), {}, {offset}};
}

ArgSetId Scene::arguments(std::initializer_list<Argument> all) {
    std::string keys = "[", values = "[";
    for (const Argument &argument : all) {
        const char *const comma = keys.size() > 1 ? "," : "";
        (keys += comma) += quoted(argument.key);
        (values += comma) += argument.json;
    }
    return writer.addArgs(writer.internArgShape(keys + "]"), values + "]");
}

TrackId Scene::addTrack(TrackKind kind, std::string name, ProcessId process) {
    TrackRow row;
    row.source = source;
    row.kind = kind;
    row.name = std::move(name);
    row.process = process;
    return writer.addTrack(row);
}

DeviceId Scene::device(DeviceKind kind, std::string name, std::string nativeId) {
    DeviceId &held = devices_[name];
    if (!held.valid()) {
        DeviceRow row;
        row.source = source;
        row.kind = kind;
        row.name = std::move(name);
        row.nativeId = std::move(nativeId);
        held = writer.addDevice(row);
    }
    return held;
}

}  // namespace wattproof::importers::ftrace
