// Texts of single boards: NVIDIA's tegrastats and Apple's powermetrics.
#include "importers/power/record_parser.h"
#include "importers/table/quantity_text.h"
#include "importers/time/stamp.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace wattproof::importers {
namespace {

constexpr Ns kBoardSecond = 1'000'000'000;

// "[MM-DD-YYYY HH:MM:SS] RAM 2274/6834MB … GR3D_FREQ 22% GPU@38C VDD_IN 5542mW/5542mW": the first number of a rail is
// the reading, the second its mean since the start; the TX2 prints no unit.
class TegrastatsParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        std::string_view rest = trimmed(row.text);
        if (parseStamp(rest, StampUnit::DateTime))
            return;  // a date that the recording script printed: it is of no row
        if (rest.find("RAM ") == std::string_view::npos || row.hadNul)
            return sink.unreadable(row.line);
        if (const std::string_view front = rest.substr(0, 19); parseStamp(front, StampUnit::DateTimeMdy)) {
            sink.set("time", front);
            rest.remove_prefix(front.size());
        }
        std::string_view name;
        while (!(rest = trimmed(rest)).empty()) {
            const std::size_t stop = std::min(rest.find(rest.front() == '[' || rest.front() == '(' ? closing(rest) : ' '),
                                              rest.size());
            const std::string_view word = rest.substr(0, stop);
            rest.remove_prefix(std::min(stop + 1, rest.size()));
            takeWord(name, word, sink);
            name = word;
        }
        sink.finish(row.line);
    }

private:
    static char closing(std::string_view text) { return text.front() == '[' ? ']' : ')'; }

    static void takeWord(std::string_view name, std::string_view word, RecordSink &sink) {
        const std::size_t at = word.find('@'), slash = word.find('/');
        if (name == "GR3D_FREQ" || name == "EMC_FREQ")
            return sink.set(name, word.substr(0, word.find('@')));
        if (word.ends_with('C') && at != std::string_view::npos && at > 0)
            return sink.set("temperature " + std::string(word.substr(0, at)), word.substr(at + 1));
        if (slash == std::string_view::npos || slash == 0 || name.empty() || name == "RAM" || name == "SWAP")
            return;
        const auto reading = parseNumber(word.substr(0, slash), false);
        if (reading && (reading->rest == "mW" || reading->rest.empty()))
            sink.set("rail " + std::string(name), std::string(word.substr(0, slash)) + (reading->rest.empty() ? "mW" : ""));
    }
};

// "*** Sampled system activity (Sun Feb 28 00:17:04 2021 -0800) (1005.03ms elapsed) ***", then "name: value" lines.
// Stamps are whole seconds: samples are placed by the lengths that they state, as long as both agree within 2 s.
class PowermetricsParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        const std::string_view text = trimmed(row.text);
        if (text.starts_with("*** Sampled")) {
            sink.finish(line_);
            line_ = row.line;
            begin(text, row.line, sink);
            return;
        }
        const std::size_t colon = text.find(": ");
        if (at_ && colon != std::string_view::npos && !text.starts_with("***"))
            sink.set(text.substr(0, std::min(text.find(" ("), colon)), trimmed(text.substr(colon + 1)));
    }
    void end(RecordSink &sink) override { sink.finish(line_); }

private:
    void begin(std::string_view text, std::uint64_t line, RecordSink &sink) {
        const std::size_t open = text.find('('), close = text.find(')'), second = text.find('(', open + 1);
        at_.reset();
        if (open == std::string_view::npos || close == std::string_view::npos || second == std::string_view::npos)
            return sink.unreadable(line);
        const auto stated = parseStamp(text.substr(open + 1, close - open - 1), StampUnit::DateTime);
        const auto elapsed = parseNumber(text.substr(second + 1), false);
        if (!stated || !elapsed || !(elapsed->value >= 0 && elapsed->value < 1e9))
            return sink.unreadable(line);
        const Ns next = last_.value_or(stated->ns) + static_cast<Ns>(std::llround(elapsed->value * 1e6));
        const bool agrees = last_ && next > stated->ns - 2 * kBoardSecond && next < stated->ns + 2 * kBoardSecond;
        last_ = at_ = agrees ? next : stated->ns;
        sink.set("time", std::to_string(*at_));
        sink.set("elapsed", std::to_string(elapsed->value / 1e3));
    }

    std::optional<Ns> last_, at_;
    std::uint64_t line_ = 0;
};

}  // namespace

std::unique_ptr<RecordParser> makeTegrastatsParser() {
    return std::make_unique<TegrastatsParser>();
}

std::unique_ptr<RecordParser> makePowermetricsParser() {
    return std::make_unique<PowermetricsParser>();
}

}  // namespace wattproof::importers
