// EEMBC EnergyRunner's report of MLPerf Tiny: the energy of each window that it measured.
//   01709.412 ulp-ml: Energy data for window 2 at time 9.06 for 12.91 sec.:
//   01709.412 ulp-ml:   Energy       :   664776.710 uJ
#include "importers/power/record_parser.h"
#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <optional>
#include <string>

namespace wattproof::importers {
namespace {

// The number behind a word, up to the next blank.
std::optional<double> numberBehind(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(at + word.size());
    const auto number = parseNumber(text.substr(0, text.find_first_of(" :")), false);
    return number ? std::optional(number->value) : std::nullopt;
}

class EnergyRunnerParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        constexpr std::string_view kWindow = "Energy data for window ", kEnergy = "  Energy  ";
        if (row.text.find(kWindow) != std::string_view::npos)
            return begin(row, numberBehind(row.text, kWindow), sink);
        const std::size_t energy = row.text.find(kEnergy);
        if (sink.empty() || energy == std::string_view::npos)
            return;
        const std::size_t colon = row.text.find(": ", energy);
        if (colon == std::string_view::npos)
            return;
        sink.set("energy", trimmed(row.text.substr(colon + 1)));
        sink.finish(row.line);
    }
    void end(RecordSink &sink) override {
        if (!sink.empty())
            sink.unreadable(line_);  // it ends before the energy of its last window
        sink.drop();
    }

private:
    void begin(const TableRow &row, std::optional<double> window, RecordSink &sink) {
        if (!sink.empty())
            sink.unreadable(line_);
        sink.drop();
        line_ = row.line;
        const std::string_view when = row.text.substr(std::min(row.text.find(" at time "), row.text.size()));
        const auto start = numberBehind(when, " at time "), seconds = numberBehind(when, " for ");
        if (!window || !start || !seconds || *seconds <= 0)
            return sink.unreadable(row.line);
        sink.set("window", "window " + shortNumber(*window));
        sink.set("time", std::to_string(*start + *seconds));
        sink.set("duration", std::to_string(*seconds));
    }

    std::uint64_t line_ = 0;
};

}  // namespace

std::unique_ptr<RecordParser> makeEnergyRunnerParser() {
    return std::make_unique<EnergyRunnerParser>();
}

}  // namespace wattproof::importers
