#include "importers/power/row_source.h"

#include "importers/power/record_parser.h"

namespace wattproof::importers {
namespace {

class TableSource final : public RowSource {
public:
    TableSource(Input &input, const Descriptor &descriptor)
        : reader_(input, styleOf(descriptor)), decimalComma_(descriptor.decimalComma) {}

    [[nodiscard]] Expected<bool> next(TableRow &row) override { return reader_.next(row); }
    [[nodiscard]] bool decimalComma() const override {
        return decimalComma_.value_or(reader_.delimiter() != ',');
    }
    [[nodiscard]] std::uint64_t longLines() const override { return reader_.longLines(); }
    [[nodiscard]] std::uint64_t firstLongLine() const override { return reader_.firstLongLine(); }

private:
    TableReader reader_;
    std::optional<bool> decimalComma_;
};

class RecordSource final : public RowSource {
public:
    RecordSource(Input &input, const Descriptor &descriptor)
        : reader_(input, styleOf(descriptor)),
          parser_(makeRecordParser(descriptor)),
          decimalComma_(descriptor.decimalComma.value_or(false)) {}

    [[nodiscard]] Expected<bool> next(TableRow &row) override {
        while (sink_.records().empty()) {
            Expected<bool> more = atEnd_ ? Expected<bool>(false) : reader_.next(row);
            if (!more)
                return more;
            if (*more) {
                parser_->row(row, sink_);
                continue;
            }
            if (atEnd_)
                return false;
            atEnd_ = true;
            parser_->end(sink_);
        }
        handOut(row);
        return true;
    }
    [[nodiscard]] const std::vector<std::string> *changedHeader() const override { return changed_ ? &header_ : nullptr; }
    [[nodiscard]] bool isTable() const override { return false; }
    [[nodiscard]] bool decimalComma() const override { return decimalComma_; }
    [[nodiscard]] std::uint64_t longLines() const override { return reader_.longLines(); }
    [[nodiscard]] std::uint64_t firstLongLine() const override { return reader_.firstLongLine(); }
    [[nodiscard]] std::int64_t unreadable() const override { return sink_.unreadableCount(); }
    [[nodiscard]] std::uint64_t firstUnreadable() const override { return sink_.firstUnreadable(); }

private:
    void handOut(TableRow &row) {
        record_ = std::move(sink_.records().front());
        sink_.records().pop_front();
        changed_ = record_.names > header_.size();
        for (std::size_t i = header_.size(); i < record_.names; ++i)
            header_.push_back(sink_.names()[i]);
        cells_.assign(header_.size(), std::string_view());
        for (const RecordSink::Value &value : record_.values)
            cells_[value.name] = value.text;
        row = TableRow();
        row.cells = cells_;
        row.line = record_.line;
    }

    TableReader reader_;
    std::unique_ptr<RecordParser> parser_;
    bool decimalComma_;
    RecordSink sink_;
    RecordSink::Record record_;
    std::vector<std::string> header_;
    std::vector<std::string_view> cells_;
    bool changed_ = false, atEnd_ = false;
};

}  // namespace

TableReader::Style styleOf(const Descriptor &descriptor) {
    const bool lines = !descriptor.form.empty() && descriptor.form != "long";
    return {descriptor.delimiter, descriptor.mark, descriptor.firstWords, lines};
}

std::unique_ptr<RowSource> makeRowSource(Input &input, const Descriptor &descriptor) {
    if (descriptor.form.empty())
        return std::make_unique<TableSource>(input, descriptor);
    return std::make_unique<RecordSource>(input, descriptor);
}

}  // namespace wattproof::importers
