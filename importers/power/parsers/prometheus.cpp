// Prometheus' text exposition: one record a line, with its labels. A loop's own date lines, or the stamps that some
// exporters print, give the time.
#include "importers/power/record_parser.h"
#include "importers/time/stamp.h"

namespace wattproof::importers {
namespace {

bool nameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
}

class PrometheusParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        std::string_view text = trimmed(row.text);
        if (text.starts_with('#'))
            return;
        if (const auto stamp = parseStamp(text, StampUnit::Auto); stamp) {
            time_ = text;
            return;
        }
        if (!takeLine(text, sink)) {
            sink.drop();
            return sink.unreadable(row.line);
        }
        sink.finish(row.line);
    }

private:
    bool takeLine(std::string_view text, RecordSink &sink) {
        std::size_t length = 0;
        while (length < text.size() && nameCharacter(text[length]))
            ++length;
        const std::string_view name = text.substr(0, length);
        text.remove_prefix(length);
        if (name.empty())
            return false;
        if (text.starts_with('{')) {
            text.remove_prefix(1);
            if (!takeLabels(text, sink))
                return false;
        }
        text = trimmed(text);
        const std::size_t blank = std::min(text.find(' '), text.size());
        const std::string_view value = text.substr(0, blank), stamp = trimmed(text.substr(blank));
        if (value.empty())
            return false;
        if (!stamp.empty() || !time_.empty())
            sink.set("time", stamp.empty() ? std::string_view(time_) : stamp);
        sink.set(name, value);
        return true;
    }

    // gpu="0",modelName="a \"b\""} …
    static bool takeLabels(std::string_view &text, RecordSink &sink) {
        while (!text.empty() && text.front() != '}') {
            const std::size_t equals = text.find("=\"");
            if (equals == std::string_view::npos)
                return false;
            const std::string_view label = trimmed(text.substr(0, equals));
            text.remove_prefix(equals + 2);
            std::string value;
            while (!text.empty() && text.front() != '"') {
                if (text.front() == '\\' && text.size() > 1)
                    text.remove_prefix(1);
                value += text.front();
                text.remove_prefix(1);
            }
            if (text.empty())
                return false;
            text.remove_prefix(1);
            sink.set("label " + std::string(label), value);
            if (text.starts_with(','))
                text.remove_prefix(1);
        }
        if (text.empty())
            return false;
        text.remove_prefix(1);
        return true;
    }

    std::string time_;
};

}  // namespace

std::unique_ptr<RecordParser> makePrometheusParser() {
    return std::make_unique<PrometheusParser>();
}

}  // namespace wattproof::importers
