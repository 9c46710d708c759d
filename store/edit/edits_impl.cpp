#include "store/edit/edits_impl.h"

#include "store/track_path.h"

#include <cmath>
#include <cstdio>

namespace wattproof::store {
namespace {

using nlohmann::json;

const std::string kViewPrefix = "view/";

// "+1.25 s", "-320 us": the largest unit that keeps the number above one.
std::string signedDuration(Ns ns) {
    constexpr struct {
        double factor;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    const double size = std::abs(static_cast<double>(ns));
    std::size_t unit = 0;
    while (unit < 3 && size < units[unit].factor)
        ++unit;
    char text[64];
    std::snprintf(text, sizeof text, "%+.6g %s", static_cast<double>(ns) / units[unit].factor, units[unit].name);
    return text;
}

std::string shortened(const std::string &text) {
    constexpr std::size_t kLongest = 40;
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "…";
}

std::string fileNameOf(const sqlite::Database &database, SourceId source) {
    auto statement = database.prepare("SELECT path FROM source WHERE id = ?");
    if (!statement)
        return {};
    statement->bindAll(source);
    const std::string path = statement->step() ? statement->string(0) : std::string();
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

Status EditsImpl::record(const std::string &phrase, const std::vector<RowChange> &changes) {
    return access_.write([&](const sqlite::Database &) { return log_.record(phrase, changes); });
}

Status EditsImpl::setAlignment(const Alignment &a) {
    return access_.write([&](const sqlite::Database &database) -> Status {
        const json key{{"source_id", a.source.value}};
        auto row = log_.rowOf("alignment", key);
        if (!row)
            return passOn(row);
        if (row->is_null())
            return failure("there is no such source", {}, "choose one of the workspace's sources");
        const Ns before = (*row)["offset_ns"].get<Ns>();
        (*row)["offset_ns"] = a.offset;
        (*row)["drift_ppb"] = a.driftPpb;
        (*row)["anchor_ns"] = a.anchor;
        (*row)["method"] = a.method;
        (*row)["confidence"] = a.confidence;
        (*row)["uncertainty_ns"] = a.uncertainty;
        (*row)["note"] = a.note;
        const std::string phrase =
            "align " + fileNameOf(database, a.source) + " by " + signedDuration(a.offset - before);
        return log_.record(phrase, {{"alignment", key, *row}});
    });
}

Expected<std::vector<Alignment>> EditsImpl::alignments() {
    const std::lock_guard lock(access_.mutex);
    auto statement = access_.database->prepare(
        "SELECT source_id, offset_ns, drift_ppb, anchor_ns, method, confidence, uncertainty_ns, note FROM "
        "alignment "
        "ORDER BY source_id");
    if (!statement)
        return passOn(statement);
    std::vector<Alignment> list;
    while (statement->step())
        list.push_back({statement->id<SourceId>(0), statement->integer(1), statement->integer(2),
                        statement->integer(3), statement->string(4), statement->real(5), statement->integer(6),
                        statement->string(7)});
    if (Status status = statement->status(); !status)
        return passOn(status);
    return list;
}

Expected<json> EditsImpl::annotationRow(const Annotation &annotation, std::int64_t id) const {
    json row{{"id", id},
             {"ts", annotation.ts},
             {"dur", annotation.dur},
             {"track_id", nullptr},
             {"text", annotation.text},
             {"author", annotation.author},
             {"created_at", annotation.createdAt},
             {"finding_key", annotation.findingKey},
             {"anchor_sha256", nullptr},
             {"anchor_path", nullptr},
             {"anchor_ts", nullptr}};
    if (!annotation.track.valid())
        return row;
    auto anchor = anchorOf(*access_.database, annotation.track);
    if (!anchor)
        return passOn(anchor);
    const Ns begin = anchor->map.toSource(annotation.ts);
    row["ts"] = begin;
    row["dur"] = anchor->map.toSource(annotation.ts + annotation.dur) - begin;
    row["track_id"] = annotation.track.value;
    row["anchor_sha256"] = anchor->sha256;
    row["anchor_path"] = anchor->path;
    return row;
}

Expected<AnnotationId> EditsImpl::addAnnotation(const Annotation &annotation) {
    std::int64_t id = 0;
    Status status = access_.write([&](const sqlite::Database &database) -> Status {
        auto last = database.integer("SELECT max(id) FROM annotation");
        if (!last)
            return passOn(last);
        id = last->value_or(0) + 1;
        auto row = annotationRow(annotation, id);
        if (!row)
            return passOn(row);
        return log_.record("annotate \"" + shortened(annotation.text) + "\"",
                           {{"annotation", {{"id", id}}, *row}});
    });
    if (!status)
        return passOn(status);
    return AnnotationId{id};
}

Status EditsImpl::changeAnnotation(const Annotation &annotation) {
    return access_.write([&](const sqlite::Database &) -> Status {
        auto row = annotationRow(annotation, annotation.id.value);
        if (!row)
            return passOn(row);
        if (Status status = keepLostAnchor(*row); !status)
            return status;
        return log_.record("change the annotation \"" + shortened(annotation.text) + "\"",
                           {{"annotation", {{"id", annotation.id.value}}, *row}});
    });
}

// A note without its track stays tied to where it was, whatever else of it is changed.
Status EditsImpl::keepLostAnchor(json &row) const {
    auto before = log_.rowOf("annotation", {{"id", row["id"]}});
    if (!before)
        return passOn(before);
    if (!row["track_id"].is_null() || before->is_null() || (*before)["anchor_ts"].is_null())
        return {};
    for (const char *column : {"anchor_sha256", "anchor_path", "anchor_ts"})
        row[column] = (*before)[column];
    return {};
}

Status EditsImpl::removeAnnotation(AnnotationId id) {
    return record("remove an annotation", {{"annotation", {{"id", id.value}}, nullptr}});
}

Expected<std::vector<Annotation>> EditsImpl::annotations() {
    const std::lock_guard lock(access_.mutex);
    auto statement = access_.database->prepare(
        "SELECT v.id, v.ts, v.dur, v.track_id, v.text, v.author, v.created_at, n.finding_key, "
        "t.name, CASE WHEN n.anchor_ts IS NOT NULL THEN n.anchor_path END FROM annotations v "
        "JOIN annotation n ON n.id = v.id LEFT JOIN track t ON t.id = v.track_id ORDER BY v.ts, v.id");
    if (!statement)
        return passOn(statement);
    std::vector<Annotation> list;
    while (statement->step())
        list.push_back({statement->id<AnnotationId>(0), statement->integer(1), statement->integer(2),
                        statement->id<TrackId>(3), statement->string(4), statement->string(5),
                        statement->string(6), statement->string(7), statement->string(8), statement->string(9)});
    if (Status status = statement->status(); !status)
        return passOn(status);
    return list;
}

Status EditsImpl::setDecision(const FindingDecision &d) {
    const json key{{"finding_key", d.findingKey}};
    const json row{{"finding_key", d.findingKey},
                   {"owner", d.owner},
                   {"rollback", d.rollback},
                   {"status", d.status},
                   {"reason", d.reason}};
    return record("decide on " + d.findingKey, {{"decision", key, row}});
}

Expected<std::vector<FindingDecision>> EditsImpl::decisions() {
    const std::lock_guard lock(access_.mutex);
    auto statement =
        access_.database->prepare("SELECT finding_key, owner, rollback, status, reason FROM decision");
    if (!statement)
        return passOn(statement);
    std::vector<FindingDecision> list;
    while (statement->step())
        list.push_back({statement->string(0), statement->string(1), statement->string(2), statement->string(3),
                        statement->string(4)});
    if (Status status = statement->status(); !status)
        return passOn(status);
    return list;
}

Status EditsImpl::setScenario(const std::string &text) {
    return record("change the scenario",
                  {{"document", {{"key", "scenario"}}, {{"key", "scenario"}, {"value", text}}}});
}

Expected<std::string> EditsImpl::scenario() {
    auto value = document("scenario");
    if (!value)
        return passOn(value);
    return value->value_or("{}");
}

Status EditsImpl::setDeviceAlias(SourceId source, const std::string &nativeId, DeviceId device) {
    const json key{{"source_id", source.value}, {"native_id", nativeId}};
    json row;
    if (device.valid())
        row = {{"source_id", source.value}, {"native_id", nativeId}, {"device_id", device.value}};
    return record("name the device " + nativeId, {{"device_alias", key, row}});
}

Status EditsImpl::setViewState(const std::string &key, const std::string &value) {
    return access_.write([&](const sqlite::Database &database) -> Status {
        auto statement = database.prepare("INSERT OR REPLACE INTO document VALUES(?, ?)");
        if (!statement)
            return passOn(statement);
        const std::string name = kViewPrefix + key;
        statement->bindAll(name, value).run();
        return statement->status();
    });
}

Status EditsImpl::changeViewState(const std::string &key, const std::string &value, const std::string &phrase) {
    const std::string name = kViewPrefix + key;
    return record(phrase, {{"document", {{"key", name}}, {{"key", name}, {"value", value}}}});
}

Expected<std::optional<std::string>> EditsImpl::viewState(const std::string &key) {
    return document(kViewPrefix + key);
}

Expected<std::map<std::string, std::string>> EditsImpl::viewStates() {
    const std::lock_guard lock(access_.mutex);
    auto statement = access_.database->prepare(
        "SELECT substr(key, 1 + length(?1)), value FROM document WHERE key GLOB ?1 || '*'");
    if (!statement)
        return passOn(statement);
    statement->bindAll(kViewPrefix);
    std::map<std::string, std::string> all;
    while (statement->step())
        all.emplace(statement->string(0), statement->string(1));
    if (Status status = statement->status(); !status)
        return passOn(status);
    return all;
}

Expected<std::optional<std::string>> EditsImpl::document(const std::string &key) {
    const std::lock_guard lock(access_.mutex);
    auto statement = access_.database->prepare("SELECT value FROM document WHERE key = ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(key);
    std::optional<std::string> value;
    if (statement->step())
        value = statement->string(0);
    if (Status status = statement->status(); !status)
        return passOn(status);
    return value;
}

std::string EditsImpl::undoText() {
    const std::lock_guard lock(access_.mutex);
    return log_.undoText().value_or("");
}

std::string EditsImpl::redoText() {
    const std::lock_guard lock(access_.mutex);
    return log_.redoText().value_or("");
}

Status EditsImpl::undo() {
    return access_.write([&](const sqlite::Database &) { return log_.undo(); });
}

Status EditsImpl::redo() {
    return access_.write([&](const sqlite::Database &) { return log_.redo(); });
}

}  // namespace wattproof::store
