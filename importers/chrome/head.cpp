#include "importers/chrome/head.h"

#include "importers/chrome/decimal.h"
#include "importers/text/mended.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

namespace wattproof::importers::chrome {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxRows = 2000;  // of metadata a file; the rest is counted
constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;
constexpr std::size_t kMaxLeaves = 300;  // a value with more is kept as JSON text
constexpr std::size_t kMaxText = std::size_t{256} << 10U;
constexpr std::size_t kClueText = std::size_t{16} << 10U;

// Sections that are no description of the run but data that this program does not read.
bool isUnreadSection(std::string_view key) {
    constexpr std::array<std::string_view, 3> kSections{"systemTraceEvents", "androidProcessDump",
                                                        "powerTraceAsString"};
    return std::find(kSections.begin(), kSections.end(), key) != kSections.end();
}

std::string textOf(const Json &value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool isListOfScalars(const Json &value) {
    return value.is_array() &&
           std::none_of(value.begin(), value.end(), [](const Json &each) { return each.is_structured(); });
}

using Leaves = std::vector<std::pair<std::string, std::string>>;

// Dotted keys, [i] for lists of objects; lists of scalars stay one value. Depth is bounded by the scanner before.
void flatten(const std::string &key, const Json &value, Leaves &leaves) {
    if (leaves.size() > kMaxLeaves)
        return;
    if (value.is_object() && !value.empty()) {
        for (const auto &[name, inner] : value.items())
            flatten(key + '.' + name, inner, leaves);
    } else if (value.is_array() && !isListOfScalars(value)) {
        for (std::size_t i = 0; i < value.size(); ++i)
            flatten(key + '[' + std::to_string(i) + ']', value[i], leaves);
    } else {
        leaves.emplace_back(key, textOf(value));
    }
}

constexpr std::string_view kTooMuch = "Large sections and metadata beyond the first 2000 values are not kept.";

std::string memberText(const Json &object, const char *key) {
    const auto found = object.find(key);
    return found == object.end() ? std::string() : textOf(*found);
}

// "main > run > step" of a frame and those that called it. Files may hold rings.
std::string stackOf(const Json &frames, const Json &frame) {
    constexpr int kMaxFrames = 64;
    std::string text;
    const Json *at = &frame;
    for (int depth = 0; at && at->is_object() && depth < kMaxFrames; ++depth) {
        text = memberText(*at, "name") + (text.empty() ? "" : " > ") + text;
        const auto parent = frames.find(memberText(*at, "parent"));
        at = parent == frames.end() ? nullptr : &*parent;
    }
    return text;
}

}  // namespace

bool Head::full() const {
    return rows_ >= kMaxRows || bytes_ >= kMaxBytes;
}

void Head::add(std::string key, std::string value) {
    ++rows_;
    bytes_ += key.size() + value.size();
    writer_.addMetadata({source_, mendedText(key), std::move(value)});
}

void Head::store(std::string_view key, const std::string &json, std::uint64_t offset) {
    if (json.size() > kMaxText || full()) {
        builder_.warn("unread_section", kTooMuch, {offset});
        return;
    }
    const Json value = Json::parse(json, nullptr, false);
    Leaves leaves;
    if (!value.is_discarded())
        flatten(std::string(key), value, leaves);
    if (leaves.empty() || leaves.size() > kMaxLeaves)
        return add(std::string(key), json);
    for (auto &[name, text] : leaves)
        add(std::move(name), std::move(text));
}

void Head::readDevices(const std::string &json) {
    const Json list = Json::parse(json, nullptr, false);
    if (!list.is_array())
        return;
    for (const Json &each : list)
        if (each.is_object())
            devices_.push_back({memberText(each, "id"), memberText(each, "name"), memberText(each, "uuid"),
                                memberText(each, "pciBusId")});
}

void Head::readStackFrames(const std::string &json, std::uint64_t offset) {
    const Json frames = Json::parse(json, nullptr, false);
    if (!frames.is_object())
        return store("stackFrames", json, offset);
    for (const auto &[id, frame] : frames.items()) {
        if (full())
            return builder_.warn("unread_section", kTooMuch, {offset});
        add("stackFrames." + id, stackOf(frames, frame));
    }
}

void Head::member(std::string_view key, const RawValue &value, std::uint64_t offset) {
    if (value.kind == ValueKind::Missing || isUnreadSection(key)) {
        builder_.warn("unread_section",
                      "Sections beside the events that are not read: system traces, and what is larger than "
                      "4 MiB.",
                      {offset});
        return;
    }
    std::string json;
    appendJson(json, value);
    recogniser_.note(ClueKind::HeadKey, key);
    recogniser_.note(ClueKind::HeadValue, std::string_view(json).substr(0, kClueText), key);
    if (key == "stackFrames")
        return readStackFrames(json, offset);
    if (key == "deviceProperties")
        readDevices(json);
    else if (key == "baseTimeNanoseconds")
        baseTime_ = integer(value.text());
    else if (key == "beginningOfTime")  // clang -ftime-trace, microseconds
        baseTime_ = microsecondsToNs(value.text()).ns;
    else if (key == "wattproof_simulated")
        simulated_ = value.kind == ValueKind::True;
    store(key, json, offset);
}

void Head::clockSync(std::string_view id, Ns stated, Ns likely) {
    if (full())
        return;
    add("clock_sync." + std::string(id), std::to_string(stated));
    clockMarks_.try_emplace(std::string(id), likely);
}

void Head::unitOfWork(std::string_view pattern) {
    if (!pattern.empty())
        add("unit_of_work", std::string(pattern));
}

void Head::metadataEvent(std::string_view name, const Event &event) {
    std::string json;
    appendJson(json, event.args);
    store(name, json, event.offset);
}

}  // namespace wattproof::importers::chrome
