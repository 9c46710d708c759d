// MSI Afterburner's .hml: lines that begin with a code, with the columns of each session described in the file.
#include "importers/power/record_parser.h"

#include <algorithm>

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
            models_.assign(cells.begin() + 2, cells.end());
        } else if (code == "02") {
            columns_.clear();
            for (std::size_t i = 2; i < cells.size(); ++i)
                columns_.push_back(columnOf(cells[i]));
        } else if (code == "03" && cells.size() > 3) {
            takeUnit(cells[2], cells[3]);
        } else if (code == "80") {
            takeData(cells, row, sink);
        } else if (code != "00" && code != "03") {
            sink.unreadable(row.line);
        }
    }

private:
    struct Column {
        std::size_t gpu = 0;  // from 0
        std::string name, unit = "1";
    };

    // With several GPUs their columns are numbered from 1: "GPU1 usage" for "GPU usage", "GPU1 power" for "Power".
    static Column columnOf(std::string_view text) {
        Column column;
        column.name = validUtf8(text);
        const auto number = matchName("GPU# *", text);
        if (number && number->size() == 1 && number->front() > '0') {
            column.gpu = static_cast<std::size_t>(number->front() - '1');
            column.name.erase(3, 1);
        }
        return column;
    }
    void takeUnit(std::string_view index, std::string_view unit) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (!unit.empty() && std::to_string(i) == index)
                columns_[i].unit = validUtf8(unit);
    }
    // A record for each GPU; what is of none stands with the first.
    void takeData(const std::vector<std::string_view> &cells, const TableRow &row, RecordSink &sink) {
        if (cells.size() != columns_.size() + 2)
            return sink.unreadable(row.line);
        for (std::size_t gpu = 0; gpu < kMaxGpus; ++gpu) {
            const auto isOf = [gpu](const Column &column) { return column.gpu == gpu; };
            if (std::none_of(columns_.begin(), columns_.end(), isOf))
                continue;
            sink.set("time", cells[1]);
            sink.set("gpu index", std::to_string(gpu));
            if (gpu < models_.size())
                sink.set("gpu model", models_[gpu]);
            for (std::size_t i = 0; i < columns_.size(); ++i)
                if (isOf(columns_[i]))
                    sink.set(columns_[i].name + " [" + columns_[i].unit + "]", cells[i + 2]);
            sink.finish(row.line);
        }
    }

    static constexpr std::size_t kMaxGpus = 9;  // a digit
    std::vector<Column> columns_;
    std::vector<std::string> models_;
};

}  // namespace

std::unique_ptr<RecordParser> makeHmlParser() {
    return std::make_unique<HmlParser>();
}

}  // namespace wattproof::importers
