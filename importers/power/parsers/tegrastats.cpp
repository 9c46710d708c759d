// The text of NVIDIA's tegrastats.
#include "importers/power/record_parser.h"
#include "importers/table/quantity_text.h"
#include "importers/time/stamp.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

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

}  // namespace

std::unique_ptr<RecordParser> makeTegrastatsParser() {
    return std::make_unique<TegrastatsParser>();
}

}  // namespace wattproof::importers
