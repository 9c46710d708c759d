// Tables with one reading a row: which quantity it is stands in a column of its own.
#include "importers/power/record_parser.h"

#include <algorithm>
#include <optional>

namespace wattproof::importers {
namespace {

class LongParser final : public RecordParser {
public:
    explicit LongParser(const Descriptor &descriptor) : descriptor_(descriptor), header_(descriptor.header) {
        findColumns();
    }

    void row(const TableRow &row, RecordSink &sink) override {
        std::vector<std::string> names;
        if (header_.empty() || !descriptor_.header.empty() || looksLikeHeader(row)) {
            for (const std::string_view cell : row.cells)
                names.push_back(headerName(cell));
        }
        if (header_.empty()) {
            if (!isHeader(descriptor_, {row.cells.begin(), row.cells.end()}))
                return sink.unreadable(row.line);
            header_ = std::move(names);
            return findColumns();
        }
        if (names == header_ || (!row.text.empty() && row.text.front() == '#'))
            return;
        if (!field_ || !value_ || std::max(*field_, *value_) >= row.cells.size() || row.hadNul)
            return sink.unreadable(row.line);
        for (std::size_t i = 0; i < std::min(row.cells.size(), header_.size()); ++i)
            if (i != field_ && i != value_ && i != unit_ && !row.cells[i].empty())
                sink.set(header_[i], row.cells[i]);
        const std::string_view unit = unit_ && *unit_ < row.cells.size() ? row.cells[*unit_] : std::string_view();
        const std::string value = std::string(row.cells[*value_]) + (unit.empty() ? "" : " ") + std::string(unit);
        sink.set(lowered(validUtf8(row.cells[*field_])), value);
        sink.finish(row.line);
    }

private:
    void findColumns() {
        const auto find = [this](const std::vector<std::string> &wanted) -> std::optional<std::size_t> {
            for (const std::string &name : wanted)
                if (const auto it = std::find(header_.begin(), header_.end(), name); it != header_.end())
                    return static_cast<std::size_t>(it - header_.begin());
            return std::nullopt;
        };
        field_ = find(descriptor_.field);
        value_ = find(descriptor_.value);
        unit_ = find(descriptor_.unit);
    }
    [[nodiscard]] bool looksLikeHeader(const TableRow &row) const {
        return field_ && *field_ < row.cells.size() && headerName(row.cells[*field_]) == header_[*field_];
    }

    const Descriptor &descriptor_;
    std::vector<std::string> header_;
    std::optional<std::size_t> field_, value_, unit_;
};

}  // namespace

std::unique_ptr<RecordParser> makeLongParser(const Descriptor &descriptor) {
    return std::make_unique<LongParser>(descriptor);
}

}  // namespace wattproof::importers
