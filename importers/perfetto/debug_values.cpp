#include "importers/perfetto/debug_values.h"

#include "importers/chrome/json_text.h"
#include "importers/perfetto/number_text.h"
#include "importers/text/mended.h"

#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

namespace wattproof::importers::perfetto {
namespace {

constexpr int kDeepest = 64;

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

void appendPointer(std::string &out, std::uint64_t pointer) {
    std::array<char, 20> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), pointer, 16);
    out.append("\"0x").append(digits.data(), result.ptr).append("\"");
}

// Between the members of the list or object that is open.
void separate(std::string &out) {
    if (out.back() != '[' && out.back() != '{')
        out += ',';
}

}  // namespace

std::string_view DebugValues::nameOf(std::string_view annotation, const Interned &interned) {
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

void DebugValues::number(std::string &out, double real) {
    if (std::isfinite(real))
        return appendNumber(out, real);
    ++damage_.nonfinite;
    out += "null";
}

// Old instrumentation wrote nested values as JSON text; what is none is kept as a string.
void DebugValues::json(std::string &out, std::string_view text) {
    chrome::Scanner scanner(text.data(), text.data() + text.size());
    chrome::RawValue value;
    scanner.skipSpace();
    const bool whole = scanner.value(value) == chrome::Scan::Ok;
    scanner.skipSpace();
    if (whole && scanner.atEnd())
        chrome::appendJson(out, value);
    else if (text.find_first_of("[{") == std::string_view::npos && nlohmann::json::accept(text))
        // A number that touches the end: the scanner takes it for a cut one.
        out += text;
    else
        appendMended(out, text);
}

bool DebugValues::leaf(std::string &out, const Field &field, const Interned &interned) {
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

void DebugValues::value(std::string &out, std::string_view annotation, const Interned &interned, int depth) {
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

void DebugValues::dictionary(std::string &out, std::string_view annotation, const Interned &interned, int depth) {
    out += '{';
    Message message(annotation);
    for (Field field; message.next(field);) {
        if (field.id != kDictEntry || !field.isBytes())
            continue;
        separate(out);
        appendMended(out, nameOf(field.bytes, interned));
        out += ':';
        value(out, field.bytes, interned, depth + 1);
    }
    out += '}';
}

void DebugValues::array(std::string &out, std::string_view annotation, const Interned &interned, int depth) {
    out += '[';
    Message message(annotation);
    for (Field field; message.next(field);) {
        if (field.id != kArrayValue || !field.isBytes())
            continue;
        separate(out);
        value(out, field.bytes, interned, depth + 1);
    }
    out += ']';
}

void DebugValues::nested(std::string &out, std::string_view bytes, int depth) {
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
        Message items(bytes);
        for (Field field; items.next(field);)
            if (field.id == kArrayValues && field.isBytes()) {
                separate(out);
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
void DebugValues::nestedDictionary(std::string &out, std::string_view bytes, int depth) {
    Message keys(bytes), values(bytes);
    out += '{';
    for (Field key; keys.next(key);) {
        if (key.id != kDictKeys || !key.isBytes())
            continue;
        Field value;
        bool found = false;
        while (!found && values.next(value))
            found = value.id == kDictValues && value.isBytes();
        if (!found)
            break;
        separate(out);
        appendMended(out, key.bytes);
        out += ':';
        nested(out, value.bytes, depth + 1);
    }
    out += '}';
}

}  // namespace wattproof::importers::perfetto
