#include "importers/perfetto/annotation_writer.h"

#include "importers/perfetto/intern_reader.h"
#include "importers/perfetto/number_text.h"
#include "importers/text/mended.h"

#include <nlohmann/json.hpp>

namespace wattproof::importers::perfetto {
namespace {

constexpr std::size_t kRememberedShapes = 4096;

using Json = nlohmann::ordered_json;

void mergeInto(Json &own, const Json &later) {
    if (own.is_object() && later.is_object()) {
        for (const auto &[key, value] : later.items())
            mergeInto(own[key], value);
    } else if (own.is_array() && later.is_array()) {
        own.insert(own.end(), later.begin(), later.end());
    } else {
        own = later;
    }
}

void mergeMembers(Json &tree, std::string_view keys, std::string_view values) {
    const Json names = Json::parse(keys, nullptr, false), members = Json::parse(values, nullptr, false);
    if (!names.is_array() || !members.is_array())
        return;
    for (std::size_t i = 0; i < names.size() && i < members.size(); ++i)
        if (names[i].is_string())
            mergeInto(tree[names[i].get<std::string>()], members[i]);
}

}  // namespace

void AnnotationWriter::openMember(std::string_view key) {
    keys_ += keys_.empty() ? '[' : ',';
    values_ += values_.empty() ? '[' : ',';
    appendMended(keys_, key);
}

void AnnotationWriter::add(std::string_view key, std::string_view text) {
    openMember(key);
    appendMended(values_, text);
}

void AnnotationWriter::read(const TrackEvent &event, const Interned &interned) {
    clear();
    debug_.clearDamage();
    for (const Field &field : event.arguments)
        argument(field, interned);
}

void AnnotationWriter::argument(const Field &field, const Interned &interned) {
    switch (field.id) {
        case event_argument::kDebugAnnotation:
            openMember(debug_.nameOf(field.bytes, interned));
            return debug_.append(values_, field.bytes, interned);
        case event_argument::kTaskExecution:
            return taskExecution(field.bytes, interned);
        case event_argument::kLogMessage:
            return logMessage(field.bytes, interned);
        case event_argument::kSourceLocation:
            return inlineLocation(field.bytes);
        case event_argument::kSourceLocationIid:
            openMember("source");
            return locationOf(values_, field.number, interned);
        case event_argument::kCorrelationId:
            openMember("correlation_id");
            return appendNumber(values_, field.number);
        case event_argument::kCorrelationText:
            return add("correlation_id", field.bytes);
        default:
            return callstack(field.bytes);
    }
}

void AnnotationWriter::location(std::string &out, const SourceLocation &place) {
    out += "{\"file\":";
    appendMended(out, place.file);
    out += ",\"function\":";
    appendMended(out, place.function);
    if (place.line != 0) {
        out += ",\"line\":";
        appendNumber(out, place.line);
    }
    out += '}';
}

void AnnotationWriter::locationOf(std::string &out, std::uint64_t iid, const Interned &interned) {
    const SourceLocation *place = interned.sourceLocations.find(iid);
    if (!place)
        debug_.countMissing();
    if (place)
        location(out, *place);
    else
        out += "null";
}

void AnnotationWriter::inlineLocation(std::string_view bytes) {
    openMember("source");
    location(values_, readSourceLocation(bytes));
}

void AnnotationWriter::taskExecution(std::string_view bytes, const Interned &interned) {
    Message message(bytes);
    for (Field field; message.next(field);)
        if (field.id == 1 && !field.isBytes()) {
            openMember("posted_from");
            locationOf(values_, field.number, interned);
        }
}

void AnnotationWriter::logMessage(std::string_view bytes, const Interned &interned) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.isBytes())
            continue;
        if (field.id == 1) {
            openMember("log_source");
            locationOf(values_, field.number, interned);
        } else if (field.id == 2) {
            const std::string *body = interned.logBodies.find(field.number);
            if (!body)
                debug_.countMissing();
            add("log_message", body ? std::string_view(*body) : std::string_view());
        } else if (field.id == 3) {
            openMember("log_priority");
            appendNumber(values_, field.number);
        }
    }
}

// Frames from the outermost to the innermost, as "function (file:line)".
void AnnotationWriter::callstack(std::string_view bytes) {
    list_ = "[";
    Message message(bytes);
    for (Field frame; message.next(frame);) {
        if (frame.id != 1 || !frame.isBytes())
            continue;
        std::string function, file;
        std::uint64_t line = 0;
        Message members(frame.bytes);
        for (Field field; members.next(field);) {
            if (field.id == 1)
                function = field.bytes;
            else if (field.id == 2)
                file = field.bytes;
            else if (field.id == 3)
                line = field.number;
        }
        if (!file.empty())
            function += " (" + file + (line > 0 ? ":" + std::to_string(line) : std::string()) + ")";
        if (list_.size() > 1)
            list_ += ',';
        appendMended(list_, function);
    }
    list_ += ']';
    openMember("callstack");
    values_ += list_;
}

ArgSetId AnnotationWriter::write(std::string_view keys, std::string_view values) {
    if (keys.empty())
        return {};
    shape_.assign(keys);
    shape_ += ']';
    const auto found = shapes_.find(shape_);
    const std::int64_t shape = found != shapes_.end() ? found->second : writer_.internArgShape(shape_);
    // A trace with endless different shapes would not gain by remembering them.
    if (found == shapes_.end() && shapes_.size() < kRememberedShapes)
        shapes_.emplace(shape_, shape);
    list_.assign(values);
    list_ += ']';
    return writer_.addArgs(shape, list_);
}

ArgSetId AnnotationWriter::writeMerged(std::string_view earlierKeys, std::string_view earlierValues) {
    Json tree = Json::object();
    mergeMembers(tree, std::string(earlierKeys) + ']', std::string(earlierValues) + ']');
    mergeMembers(tree, keys_ + ']', values_ + ']');
    Json keys = Json::array(), values = Json::array();
    for (const auto &[key, value] : tree.items()) {
        keys.push_back(key);
        values.push_back(value);
    }
    std::string keyText = keys.dump(), valueText = values.dump();
    keyText.pop_back();
    valueText.pop_back();
    return write(keyText, valueText);
}

}  // namespace wattproof::importers::perfetto
