// MSI Afterburner's .hml: lines that begin with a code, with the columns of each session described in the file.
#include "importers/power/record_parser.h"

namespace wattproof::importers {
namespace {

class HmlParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        std::vector<std::string_view> cells;
        for (std::string_view rest = row.text; cells.size() < RecordSink::kMaxNames;) {
            const std::size_t comma = rest.find(',');
            cells.push_back(trimmed(rest.substr(0, comma)));
            if (comma == std::string_view::npos)
                break;
            rest.remove_prefix(comma + 1);
        }
        if (cells.size() < 3 || row.hadNul)
            return sink.unreadable(row.line);
        const std::string_view code = cells[0];
        if (code == "01") {
            model_ = validUtf8(cells[2]);
        } else if (code == "02") {
            names_.clear();
            for (std::size_t i = 2; i < cells.size(); ++i)
                names_.push_back(validUtf8(cells[i]));
            units_.assign(names_.size(), std::string());
        } else if (code == "03" && cells.size() > 3) {
            takeUnit(cells[2], cells[3]);
        } else if (code == "80") {
            takeData(cells, row, sink);
        } else if (code != "00" && code != "03") {
            sink.unreadable(row.line);
        }
    }

private:
    void takeUnit(std::string_view index, std::string_view unit) {
        for (std::size_t i = 0; i < units_.size(); ++i)
            if (std::to_string(i) == index)
                units_[i] = validUtf8(unit);
    }
    void takeData(const std::vector<std::string_view> &cells, const TableRow &row, RecordSink &sink) {
        if (cells.size() != names_.size() + 2)
            return sink.unreadable(row.line);
        sink.set("time", cells[1]);
        sink.set("gpu model", model_);
        for (std::size_t i = 0; i < names_.size(); ++i)
            sink.set(names_[i] + " [" + (units_[i].empty() ? "1" : units_[i]) + "]", cells[i + 2]);
        sink.finish(row.line);
    }

    std::vector<std::string> names_, units_;
    std::string model_;
};

}  // namespace

std::unique_ptr<RecordParser> makeHmlParser() {
    return std::make_unique<HmlParser>();
}

}  // namespace wattproof::importers
