#include "importers/xplane/plane_reader.h"

#include <utility>

namespace wattproof::importers::xplane {
namespace {

// Fields of XPlane, XLine, XEventMetadata and XStatMetadata (tsl/profiler/protobuf/xplane.proto).
enum PlaneField { kPlaneName = 2, kPlaneLine = 3, kPlaneKind = 4, kPlaneStatName = 5, kPlaneStat = 6 };
enum LineField { kLineId = 1, kLineName = 2, kLineTimestamp = 3, kLineEvent = 4, kLineDisplayName = 11 };
enum KindField { kKindId = 1, kKindName = 2, kKindDisplayName = 4, kKindStat = 5 };
enum MapField { kMapKey = 1, kMapValue = 2 };

constexpr std::size_t kLongestName = std::size_t{64} << 10U;
constexpr std::size_t kLongestEvent = std::size_t{1} << 20U;
constexpr std::size_t kLongestStat = 4096;
constexpr std::size_t kMostStats = 256;
constexpr std::uint64_t kEventsPerCheck = 4096;

// XStatMetadata begins as XEventMetadata does: id, name.
std::pair<std::int64_t, std::string> nameOf(std::pair<std::int64_t, EventKind> entry) {
    return {entry.first, std::move(entry.second.name)};
}

}  // namespace

void PlaneReader::text(std::string &into, std::size_t limit) {
    if (const auto bytes = stream_.view(limit))
        into = *bytes;
}

void PlaneReader::keepStat(std::vector<std::string> &stats) {
    if (stats.size() >= kMostStats)
        return;
    if (const auto bytes = stream_.view(kLongestStat))
        stats.emplace_back(*bytes);
}

void PlaneReader::kindFields(EventKind &kind, std::int64_t &id) {
    WireField field;
    while (stream_.next(field)) {
        if (field.number == kKindId && field.isNumber())
            id = field.integer();
        else if (field.number == kKindName)
            text(kind.name, kLongestName);
        else if (field.number == kKindDisplayName)
            text(kind.displayName, kLongestName);
        else if (field.number == kKindStat)
            keepStat(kind.stats);
    }
}

// An entry of a map id → metadata. A compiled program may hang on an event's: it is passed over.
std::pair<std::int64_t, EventKind> PlaneReader::entry() {
    std::pair<std::int64_t, EventKind> entry;
    WireField field;
    stream_.enter();
    while (stream_.next(field)) {
        if (field.number == kMapKey && field.isNumber()) {
            entry.first = field.integer();
        } else if (field.number == kMapValue && !field.isNumber()) {
            stream_.enter();
            kindFields(entry.second, entry.first);
            stream_.leave();
        }
    }
    stream_.leave();
    return entry;
}

Status PlaneReader::event(RecordSpool &spool, const WireField &field) {
    if (++events_ % kEventsPerCheck == 0)
        if (auto status = run_.checkpoint(); !status)
            return status;
    const auto bytes = stream_.view(kLongestEvent);
    if (bytes)
        return spool.append(*bytes, field.offset);
    if (!stream_.cut())
        run_.warn("oversized_event", "Events above 1 MiB were left out.", field.offset);
    return {};
}

Status PlaneReader::line(Plane &plane, RecordSpool &spool) {
    Line line;
    std::string displayName;
    line.begin = spool.size();
    WireField field;
    Status status;
    stream_.enter();
    while (status && stream_.next(field)) {
        if (field.number == kLineId && field.isNumber())
            line.id = field.integer();
        else if (field.number == kLineTimestamp && field.isNumber())
            line.timestampNs = field.integer();
        else if (field.number == kLineName)
            text(line.name, kLongestName);
        else if (field.number == kLineDisplayName)
            text(displayName, kLongestName);
        else if (field.number == kLineEvent && !field.isNumber())
            status = event(spool, field);
    }
    stream_.leave();
    line.end = spool.size();
    if (!displayName.empty())
        line.name = std::move(displayName);
    plane.lines.push_back(std::move(line));
    return status;
}

Status PlaneReader::read(Plane &plane, RecordSpool &spool) {
    WireField field;
    Status status;
    stream_.enter();
    while (status && stream_.next(field)) {
        if (field.isNumber())
            continue;
        if (field.number == kPlaneName)
            text(plane.name, kLongestName);
        else if (field.number == kPlaneLine)
            status = line(plane, spool);
        else if (field.number == kPlaneKind)
            plane.kinds.insert(entry());
        else if (field.number == kPlaneStatName)
            plane.statNames.insert(nameOf(entry()));
        else if (field.number == kPlaneStat)
            keepStat(plane.stats);
    }
    stream_.leave();
    return status;
}

}  // namespace wattproof::importers::xplane
