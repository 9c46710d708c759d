// Tools that print a JSON document a snapshot (nvtop -s, rocm-smi --json, amd-smi --json), one behind the other; a loop
// may print a date before each. A list holds one record an element, an object of objects one a member.
#include "importers/power/record_parser.h"
#include "importers/time/stamp.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace wattproof::importers {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDocument = std::size_t{16} << 20U;
constexpr std::size_t kMaxNesting = 64;

std::string textOf(const json &value) {
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "null" : value.dump();
}

// {"value": 42, "unit": "W"} is one value.
bool isQuantity(const json &value) {
    return value.is_object() && value.size() == 2 && value.contains("value") && value.contains("unit");
}

void flatten(const json &value, const std::string &path, RecordSink &sink) {
    if (isQuantity(value))
        return sink.set(path, textOf(value["value"]) + " " + textOf(value["unit"]));
    if (!value.is_structured())
        return sink.set(path, textOf(value));
    std::size_t at = 0;
    for (const auto &[key, item] : value.items())
        flatten(item, path + (path.empty() ? "" : "/") + (value.is_array() ? std::to_string(at++) : key), sink);
}

class JsonParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        if (document_.empty()) {
            const std::string_view text = trimmed(row.text);
            line_ = row.line;
            if (const auto stamp = parseStamp(text, StampUnit::Auto); stamp) {
                time_ = text;
                return;
            }
            if (text.empty() || (text.front() != '{' && text.front() != '['))
                return sink.unreadable(row.line);
        }
        for (const char c : row.text)
            take(c, sink);
        if (!document_.empty())
            document_ += '\n';
    }
    void end(RecordSink &sink) override {
        if (!document_.empty())
            sink.unreadable(line_);  // cut
    }

private:
    void take(char c, RecordSink &sink) {
        const bool outside = document_.empty() && c != '{' && c != '[';
        if (outside)
            return;
        document_ += c;
        if (quoted_) {
            quoted_ = escaped_ || c != '"';
            escaped_ = !escaped_ && c == '\\';
            return;
        }
        quoted_ = c == '"';
        depth_ += c == '{' || c == '[' ? 1 : 0;
        depth_ -= (c == '}' || c == ']') && depth_ > 0 ? 1 : 0;
        if (depth_ == 0 || depth_ > kMaxNesting || document_.size() > kMaxDocument)
            close(sink);
    }

    void close(RecordSink &sink) {
        const json document = depth_ == 0 ? json::parse(document_, nullptr, false) : json(json::value_t::discarded);
        document_.clear();
        depth_ = 0;
        quoted_ = escaped_ = false;
        if (document.is_discarded())
            return sink.unreadable(line_);
        emit(document, sink);
    }

    void emit(const json &document, RecordSink &sink) {
        // amd-smi wraps its list: {"gpu_data": [ … ]}.
        if (document.is_object() && document.size() == 1 && document.front().is_array())
            return emit(document.front(), sink);
        const bool members = document.is_object() && !document.empty() &&
                             std::all_of(document.begin(), document.end(), [](const json &v) { return v.is_object(); });
        if (!document.is_array() && !members) {
            emitOne(document, "", 0, sink);
            return;
        }
        std::size_t at = 0;
        for (const auto &[key, item] : document.items())
            emitOne(item, key, at++, sink);
    }
    void emitOne(const json &item, const std::string &key, std::size_t at, RecordSink &sink) {
        if (!item.is_object())
            return sink.unreadable(line_);
        sink.set("snapshot key", key);
        sink.set("snapshot index", std::to_string(at));
        if (!time_.empty())
            sink.set("snapshot time", time_);
        flatten(item, "", sink);
        sink.finish(line_);
    }

    std::string document_, time_;
    std::size_t depth_ = 0;
    bool quoted_ = false, escaped_ = false;
    std::uint64_t line_ = 0;
};

}  // namespace

std::unique_ptr<RecordParser> makeJsonParser() {
    return std::make_unique<JsonParser>();
}

}  // namespace wattproof::importers
