// Lines of names and values: SPEC PTDaemon's "Time,…,Watts,…" and ipmitool's "name:   value".
#include "importers/power/record_parser.h"
#include "importers/time/stamp.h"

namespace wattproof::importers {
namespace {

// One record a line. "Ch1" stands before the pairs of one channel.
class PairsParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        std::string_view rest = trimmed(row.text);
        if (!rest.starts_with("Time,") || row.hadNul)
            return sink.unreadable(row.line);
        std::string channel;
        while (!rest.empty()) {
            const std::string_view key = take(rest);
            if (matchName("ch#", lowered(key))) {
                channel = std::string(key) + " ";
                continue;
            }
            if (rest.empty()) {
                sink.drop();
                return sink.unreadable(row.line);
            }
            sink.set(channel + std::string(key), take(rest));
        }
        sink.finish(row.line);
    }

private:
    static std::string_view take(std::string_view &rest) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view word = trimmed(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        return word;
    }
};

// A name that returns begins the next record, as does a line with a date alone, which a loop prints before it.
class KeyValueParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        const std::string_view line = trimmed(row.text);
        if (parseStamp(line, StampUnit::DateTime)) {
            sink.finish(row.line);
            sink.set("logged at", line);
            return;
        }
        takePair(line, row.line, sink);
    }
    void end(RecordSink &sink) override { sink.finish(line_); }

private:
    void takePair(std::string_view text, std::uint64_t line, RecordSink &sink) {
        const std::size_t colon = text.find(": ");
        if (colon == std::string_view::npos)
            return text.ends_with(':') ? void() : sink.unreadable(line);
        const std::string_view name = trimmed(text.substr(0, colon));
        std::string_view value = trimmed(text.substr(colon + 1));
        std::string_view next;
        // Some releases print the next pair on the same line.
        if (const std::size_t gap = value.find("    "); gap != std::string_view::npos) {
            next = trimmed(value.substr(gap));
            value = trimmed(value.substr(0, gap));
        }
        if (sink.has(name))
            sink.finish(line_);
        line_ = line;
        sink.set(name, value);
        if (!next.empty())
            takePair(next, line, sink);
    }

    std::uint64_t line_ = 0;
};

}  // namespace

std::unique_ptr<RecordParser> makePairsParser() {
    return std::make_unique<PairsParser>();
}

std::unique_ptr<RecordParser> makeKeyValueParser() {
    return std::make_unique<KeyValueParser>();
}

}  // namespace wattproof::importers
