#include "importers/chrome/arguments.h"

#include <cstring>

namespace wattproof::importers::chrome {
namespace {

constexpr std::string_view kArgs = "\"args\"";

void append(ArgumentText &text, const RawValue &key, const RawValue &value) {
    if (!text.empty()) {
        text.keys += ',';
        text.values += ',';
    }
    appendJson(text.keys, key);
    appendJson(text.values, value);
}

void appendOfEnd(ArgumentText &text, const RawValue &key, const RawValue &value) {
    std::string quoted;
    appendJson(quoted, key);
    text.keys += text.empty() ? "" : ",";
    text.values += text.values.size() < 2 ? "" : ",";
    if (text.keys.find(quoted) != std::string::npos)
        quoted.insert(1, "end.");
    text.keys += quoted;
    appendJson(text.values, value);
}

// A value as it stands in the buffer, a string with its quotes.
std::string_view verbatim(const RawValue &value) {
    return value.kind == ValueKind::String ? std::string_view(value.data - 1, value.size + 2) : value.text();
}

char *copy(char *to, std::string_view text) {
    std::memcpy(to, text.data(), text.size());
    return to + text.size();
}

// Where nothing has to be mended, which is nearly always: the texts one behind the other, in one go.
bool collectPlain(const Event &event, ArgumentText &text) {
    std::size_t keys = 1, values = 1;
    for (const Member &member : event.arguments) {
        if (member.key.odd || member.value.odd)
            return false;
        keys += member.key.size + 3;
        values += member.value.size + 3;
    }
    const bool oneValue = event.argumentsAsOne || (event.args.present() && event.args.kind != ValueKind::Object);
    if (event.arguments.empty() || oneValue)
        return false;
    text.keys.resize(keys);
    text.values.resize(values);
    char *key = text.keys.data(), *value = text.values.data();
    char before = '[';
    for (const Member &member : event.arguments) {
        *key++ = *value++ = before;
        before = ',';
        key = copy(key, verbatim(member.key));
        value = copy(value, verbatim(member.value));
    }
    text.keys.resize(static_cast<std::size_t>(key - text.keys.data()));
    text.values.resize(static_cast<std::size_t>(value - text.values.data()));
    return true;
}

template <class Append>
void forEach(const Event &event, Append each) {
    for (const Member &member : event.arguments)
        each(member.key, member.value);
    // An args that is no object, or one with too many members, is kept as one value.
    const bool asOne = event.args.kind == ValueKind::Object ? event.argumentsAsOne : event.args.present();
    if (asOne)
        each({kArgs.data() + 1, kArgs.size() - 2, ValueKind::String, false, false}, event.args);
}

}  // namespace

std::int64_t Arguments::shapeOf(const std::string &keys) {
    if (const auto found = shapes_.find(keys); found != shapes_.end())
        return found->second;
    // A trace with endless different shapes would not gain by remembering them.
    constexpr std::size_t kRemembered = 4096;
    const std::int64_t shape = writer_.internArgShape(keys);
    if (shapes_.size() < kRemembered)
        shapes_.emplace(keys, shape);
    return shape;
}

void Arguments::collect(const Event &event, ArgumentText &text) {
    if (collectPlain(event, text))
        return;
    text.keys = "[";
    text.values = "[";
    forEach(event, [&text](const RawValue &key, const RawValue &value) { append(text, key, value); });
}

void Arguments::join(ArgumentText &begin, const Event &end) {
    forEach(end, [&begin](const RawValue &key, const RawValue &value) { appendOfEnd(begin, key, value); });
}

ArgSetId Arguments::add(ArgumentText &text) {
    if (text.empty())
        return {};
    text.keys += ']';
    text.values += ']';
    return writer_.addArgs(shapeOf(text.keys), text.values);
}

ArgSetId Arguments::add(const Event &event) {
    collect(event, text_);
    return add(text_);
}

}  // namespace wattproof::importers::chrome
