#include "importers/perfetto/annotation_writer.h"

#include "importers/chrome/json_text.h"
#include "importers/text/mended.h"

#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

namespace wattproof::importers::perfetto {
namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kRememberedShapes = 4096;

// Fields of DebugAnnotation (protos/perfetto/trace/track_event/debug_annotation.proto).
enum AnnotationField : std::uint32_t {
    kNameIid = 1,
    kBool = 2,
    kUint = 3,
    kInt = 4,
    kDouble = 5,
    kString = 6,
    kPointer = 7,
    kNested = 8,
    kLegacyJson = 9,
    kName = 10,
    kDictEntry = 11,
    kArrayValue = 12,
    kProtoValue = 14,
    kStringIid = 17
};

// Fields of DebugAnnotation.NestedValue.
enum NestedField : std::uint32_t {
    kNestedType = 1,
    kDictKeys = 2,
    kDictValues = 3,
    kArrayValues = 4,
    kNestedInt = 5,
    kNestedDouble = 6,
    kNestedBool = 7,
    kNestedString = 8
};

template <class Number>
void appendNumber(std::string &out, Number number) {
    std::array<char, 32> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    out.append(digits.data(), result.ptr);
}

void appendPointer(std::string &out, std::uint64_t pointer) {
    std::array<char, 20> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), pointer, 16);
    out.append("\"0x").append(digits.data(), result.ptr).append("\"");
}

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
    damage_ = {};
    for (const Field &field : event.arguments)
        argument(field, interned);
}

void AnnotationWriter::argument(const Field &field, const Interned &interned) {
    switch (field.id) {
        case event_argument::kDebugAnnotation:
            return annotation(field.bytes, interned);
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

std::string_view AnnotationWriter::nameOf(std::string_view annotation, const Interned &interned) {
    Message message(annotation);
    for (Field field; message.next(field);) {
        if (field.id == kName && field.isBytes())
            return field.bytes;
        if (field.id == kNameIid) {
            const std::string *name = interned.annotationNames.find(field.number);
            damage_.missingInterned += name ? 0 : 1;
            return name ? std::string_view(*name) : std::string_view();
        }
    }
    return {};
}

void AnnotationWriter::annotation(std::string_view bytes, const Interned &interned) {
    openMember(nameOf(bytes, interned));
    value(values_, bytes, interned, 0);
}

void AnnotationWriter::number(std::string &out, double real) {
    if (std::isfinite(real))
        return appendNumber(out, real);
    ++damage_.nonfinite;
    out += "null";
}

// Old instrumentation wrote nested values as JSON text; what is none is kept as a string.
void AnnotationWriter::json(std::string &out, std::string_view text) {
    chrome::Scanner scanner(text.data(), text.data() + text.size());
    chrome::RawValue value;
    scanner.skipSpace();
    const bool whole = scanner.value(value) == chrome::Scan::Ok;
    scanner.skipSpace();
    if (whole && scanner.atEnd())
        chrome::appendJson(out, value);
    else if (text.find_first_of("[{") == std::string_view::npos && Json::accept(text))
        // A number that touches the end: the scanner takes it for a cut one.
        out += text;
    else
        appendMended(out, text);
}

bool AnnotationWriter::leaf(std::string &out, const Field &field, const Interned &interned) {
    switch (field.id) {
        case kBool:
            out += field.truth() ? "true" : "false";
            return true;
        case kUint:
            appendNumber(out, field.number);
            return true;
        case kInt:
            appendNumber(out, field.integer());
            return true;
        case kDouble:
            number(out, field.real());
            return true;
        case kString:
            appendMended(out, field.bytes);
            return true;
        case kPointer:
            appendPointer(out, field.number);
            return true;
        case kLegacyJson:
            json(out, field.bytes);
            return true;
        case kStringIid: {
            const std::string *text = interned.annotationStrings.find(field.number);
            damage_.missingInterned += text ? 0 : 1;
            if (text)
                appendMended(out, *text);
            else
                out += "null";
            return true;
        }
        default:
            return false;
    }
}

void AnnotationWriter::value(std::string &out, std::string_view annotation, const Interned &interned, int depth) {
    if (depth >= kDeepest) {
        ++damage_.tooDeep;
        out += "null";
        return;
    }
    Message message(annotation);
    for (Field field; message.next(field);) {
        if (field.id == kDictEntry && field.isBytes())
            return dictionary(out, annotation, interned, depth);
        if (field.id == kArrayValue && field.isBytes())
            return array(out, annotation, interned, depth);
        if (field.id == kNested && field.isBytes())
            return nested(out, field.bytes, depth);
        if (leaf(out, field, interned))
            return;
    }
    out += "null";
}

void AnnotationWriter::dictionary(std::string &out, std::string_view annotation, const Interned &interned,
                                  int depth) {
    out += '{';
    bool first = true;
    Message message(annotation);
    for (Field field; message.next(field);) {
        if (field.id != kDictEntry || !field.isBytes())
            continue;
        if (!first)
            out += ',';
        first = false;
        appendMended(out, nameOf(field.bytes, interned));
        out += ':';
        value(out, field.bytes, interned, depth + 1);
    }
    out += '}';
}

void AnnotationWriter::array(std::string &out, std::string_view annotation, const Interned &interned, int depth) {
    out += '[';
    bool first = true;
    Message message(annotation);
    for (Field field; message.next(field);) {
        if (field.id != kArrayValue || !field.isBytes())
            continue;
        if (!first)
            out += ',';
        first = false;
        value(out, field.bytes, interned, depth + 1);
    }
    out += ']';
}

void AnnotationWriter::nested(std::string &out, std::string_view bytes, int depth) {
    constexpr std::uint64_t kDictionary = 1, kArray = 2;
    if (depth >= kDeepest) {
        ++damage_.tooDeep;
        out += "null";
        return;
    }
    std::uint64_t type = 0;
    Field last;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == kNestedType)
            type = field.number;
        else
            last = field;
    }
    if (type == kDictionary)
        return nestedDictionary(out, bytes, depth);
    if (type == kArray) {
        out += '[';
        bool first = true;
        Message items(bytes);
        for (Field field; items.next(field);)
            if (field.id == kArrayValues && field.isBytes()) {
                if (!first)
                    out += ',';
                first = false;
                nested(out, field.bytes, depth + 1);
            }
        out += ']';
        return;
    }
    if (last.id == kNestedInt)
        appendNumber(out, last.integer());
    else if (last.id == kNestedDouble)
        number(out, last.real());
    else if (last.id == kNestedBool)
        out += last.truth() ? "true" : "false";
    else if (last.id == kNestedString)
        appendMended(out, last.bytes);
    else
        out += "null";
}

// Keys and values stand in two lists of equal length.
void AnnotationWriter::nestedDictionary(std::string &out, std::string_view bytes, int depth) {
    Message keys(bytes), values(bytes);
    out += '{';
    bool first = true;
    for (Field key; keys.next(key);) {
        if (key.id != kDictKeys || !key.isBytes())
            continue;
        Field value;
        bool found = false;
        while (!found && values.next(value))
            found = value.id == kDictValues && value.isBytes();
        if (!found)
            break;
        if (!first)
            out += ',';
        first = false;
        appendMended(out, key.bytes);
        out += ':';
        nested(out, value.bytes, depth + 1);
    }
    out += '}';
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
    damage_.missingInterned += place ? 0 : 1;
    if (place)
        location(out, *place);
    else
        out += "null";
}

void AnnotationWriter::inlineLocation(std::string_view bytes) {
    SourceLocation place;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 2)
            place.file = field.bytes;
        else if (field.id == 3)
            place.function = field.bytes;
        else if (field.id == 4)
            place.line = field.number;
    }
    openMember("source");
    location(values_, place);
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
            damage_.missingInterned += body ? 0 : 1;
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
