#include "importers/profile/places.h"

#include "importers/text/mended.h"
#include "importers/trace/thread_track.h"

#include <utility>

namespace wattproof::importers {
namespace {

std::string joinedKey(std::string_view kind, std::int64_t id, std::string_view rest, std::string_view other = {}) {
    std::string key(kind);
    key.append(std::to_string(id)).append(1, '\0').append(rest).append(1, '\0').append(other);
    return key;
}

}  // namespace

DeviceId ProfilePlaces::device(DeviceRow row) {
    const auto [found, added] = deviceIds_.try_emplace(row.nativeId);
    if (added) {
        row.source = source_;
        for (std::string *text : {&row.host, &row.name, &row.model, &row.uuid, &row.pci, &row.nativeId})
            *text = mendedText(*text);
        row.id = writer_.addDevice(row);
        found->second = row.id;
        devices_.try_emplace(row.id.value, std::move(row));
    }
    return found->second;
}

void ProfilePlaces::setHost(std::string_view host) {
    for (auto &[id, row] : devices_) {
        row.host = mendedText(host);
        writer_.updateDevice(row);
    }
}

ProcessId ProfilePlaces::process(std::string_view pid, std::string_view name) {
    const auto [found, added] = processes_.try_emplace(std::string(pid));
    if (added) {
        ProcessRow row;
        row.source = source_;
        row.pid = mendedText(pid);
        row.name = mendedText(name);
        found->second = writer_.addProcess(row);
    }
    return found->second;
}

ProcessId ProfilePlaces::deviceProcess(DeviceId device) {
    const DeviceRow &row = deviceRow(device);
    return process(row.name, row.model.empty() ? row.name : row.name + ": " + row.model);
}

TrackId ProfilePlaces::add(const std::string &key, TrackRow row) {
    row.source = source_;
    const TrackId id = writer_.addTrack(row);
    tracks_.emplace(key, id);
    return id;
}

TrackId ProfilePlaces::thread(ProcessId process, std::string_view tid, std::string_view name) {
    const std::string key = joinedKey("t", process.value, tid);
    if (const auto found = tracks_.find(key); found != tracks_.end())
        return found->second;
    ThreadRow thread;
    thread.source = source_;
    thread.process = process;
    thread.tid = mendedText(tid);
    thread.name = mendedText(name);
    thread.id = writer_.addThread(thread);
    return add(key, threadTrack(thread, process));
}

TrackId ProfilePlaces::stream(DeviceId device, std::string_view stream, std::string_view context) {
    const std::string key = joinedKey("s", device.value, stream, context);
    if (const auto found = tracks_.find(key); found != tracks_.end())
        return found->second;
    TrackRow row;
    row.kind = TrackKind::GpuStream;
    row.stream = mendedText(stream);
    row.name = "stream " + row.stream;
    if (!context.empty())
        row.name += " (" + mendedText(context) + ")";
    row.process = deviceProcess(device);
    row.device = device;
    return add(key, std::move(row));
}

TrackId ProfilePlaces::annotations(DeviceId device, std::string_view name) {
    const std::string key = joinedKey("a", device.value, name);
    if (const auto found = tracks_.find(key); found != tracks_.end())
        return found->second;
    TrackRow row;
    row.kind = TrackKind::Async;
    row.name = mendedText(name);
    row.process = deviceProcess(device);
    row.device = device;
    return add(key, std::move(row));
}

TrackId ProfilePlaces::other(TrackKind kind, ProcessId process, std::string_view name) {
    const std::string key = joinedKey("o", process.value, name);
    if (const auto found = tracks_.find(key); found != tracks_.end())
        return found->second;
    TrackRow row;
    row.kind = kind;
    row.name = mendedText(name);
    row.process = process;
    return add(key, std::move(row));
}

}  // namespace wattproof::importers
