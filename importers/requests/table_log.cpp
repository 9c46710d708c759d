#include "importers/requests/table_log.h"

#include "importers/requests/figures.h"
#include "importers/requests/request_row.h"
#include "importers/table/table_reader.h"

#include <algorithm>

namespace wattproof::importers::requests {
namespace {

constexpr std::size_t kRowsOfHead = 20;
constexpr std::int64_t kRowsPerLook = 4096;
constexpr std::string_view kNoRow = "rows that are not of the table's shape (damaged or cut) were skipped";

bool fitsHeader(const LogRules &rules, const std::vector<std::string> &names) {
    const auto isThere = [&names](const NamePattern &pattern) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string &name) { return pattern.matches(name); });
    };
    return fitsPatterns(rules, isThere);
}

std::vector<std::string> namesOf(std::span<const std::string> cells) {
    std::vector<std::string> names;
    for (const std::string &cell : cells)
        names.push_back(fieldName(cell).whole);
    return names;
}

// Enough columns for a request's length, or for a figure.
bool isEnough(const LogRules &rules, const std::vector<std::string> &names) {
    std::array<bool, kFields> there{};
    for (const std::string &name : names)
        there[static_cast<std::size_t>(bindField(rules, name).field)] = true;
    const auto has = [&there](Field field) { return there[static_cast<std::size_t>(field)]; };
    if (!rules.holdsRequests())
        return rules.series.empty() ? has(Field::Value) || has(Field::Figure) : has(Field::Time);
    return has(Field::Duration) || (has(Field::Start) && has(Field::End));
}

class TableLog {
public:
    explicit TableLog(LogRun &run) : run_(run), reader_(run.input()), requests_(run), figures_(run) {}

    Status read() {
        TableRow row;
        for (std::int64_t count = 0;; ++count) {
            if (count % kRowsPerLook == 0)
                if (Status status = run_.checkpoint(); !status)
                    return status;
            Expected<bool> more = reader_.next(row);
            if (!more)
                return passOn(more);
            if (!*more)
                break;
            if (Status status = takeLine(row); !status)
                return status;
        }
        if (!open_.empty())
            run_.tally().add("truncated_input", openLine_, "the file ends within this row, which was left out");
        if (reader_.longLines() > 0)
            run_.tally().add("malformed_row", reader_.firstLongLine(), kNoRow,
                             static_cast<std::int64_t>(reader_.longLines()));
        if (bound_.empty())
            return failure("the table lacks the columns of this format; its first line has: " + firstLine_,
                           run_.input().path(), "give a descriptor that names its columns (docs/formats.md)");
        return {};
    }

private:
    // A text within quotes may go on in the lines below: what the server answered, for instance. A whole row among
    // them shows that a quote was left open by mistake.
    Status takeLine(const TableRow &row) {
        const bool odd = std::count(row.text.begin(), row.text.end(), '"') % 2 != 0;
        const bool begins = odd && row.endsWithNewline && row.cells.size() < header_.size();
        if (!open_.empty() && !odd && row.cells.size() == header_.size())
            dropOpen();
        if (open_.empty() && !begins)
            return take(row);
        if (open_.empty())
            openLine_ = row.line;
        open_.append(open_.empty() ? "" : " ").append(row.text);
        ++openLines_;
        if (open_.size() > TableReader::kMaxLine)
            dropOpen();
        return openLines_ > 1 && odd ? takeJoined(row) : Status();
    }

    Status takeJoined(TableRow row) {
        const auto rows = headRows(open_, 1, {reader_.delimiter()});
        std::vector<std::string_view> cells;
        if (!rows.empty())
            cells.assign(rows[0].begin(), rows[0].end());
        row.cells = cells;
        row.text = open_;
        row.line = openLine_;
        const Status status = take(row);
        open_.clear();
        openLines_ = 0;
        return status;
    }

    void dropOpen() {
        run_.tally().add("malformed_row", openLine_, kNoRow, openLines_);
        open_.clear();
        openLines_ = 0;
    }

    Status take(const TableRow &row) {
        if (bound_.empty()) {
            bind(row);
            return {};
        }
        if (isHeaderAgain(row)) {
            run_.tally().add("repeated_header", row.line,
                             "the header is repeated between rows; the repeats were skipped");
            return {};
        }
        if (!isWhole(row))
            return {};
        fill(row);
        if (isOfAnotherKind(row))
            return {};
        if (run_.rules().holdsRequests())
            return requests_.take(cells_, row.line);
        figures_.take(cells_, slices_, row.line);
        return {};
    }

    void bind(const TableRow &row) {
        const std::vector<std::string> header(row.cells.begin(), row.cells.end());
        const std::vector<std::string> names = namesOf(header);
        if (firstLine_.empty())
            firstLine_ = validUtf8(row.text.substr(0, 200));
        if (!fitsHeader(run_.rules(), names) || !isEnough(run_.rules(), header))
            return;
        if (!row.endsWithNewline)
            run_.tally().add("truncated_input", row.line, "the file ends within or behind its header");
        names_ = names;
        std::string unread;
        for (const std::string &cell : header) {
            header_.push_back(validUtf8(cell));
            bound_.push_back(bindField(run_.rules(), cell));
            if (bound_.back().field == Field::None && !matchesSeries(names_[header_.size() - 1]))
                unread += (unread.empty() ? "" : ", ") + header_.back();
            else if (bound_.back().field == Field::None)
                bound_.back().field = Field::Figure;
        }
        run_.addMetadata("columns_not_read", unread);
    }

    [[nodiscard]] bool matchesSeries(const std::string &name) const {
        const std::vector<SeriesRule> &series = run_.rules().series;
        return std::any_of(series.begin(), series.end(),
                           [&name](const SeriesRule &rule) { return anyMatches(rule.names, name); });
    }

    [[nodiscard]] bool isHeaderAgain(const TableRow &row) const {
        if (row.cells.size() != header_.size() || row.cells[0] != header_[0])
            return false;
        return namesOf(std::vector<std::string>(row.cells.begin(), row.cells.end())) == names_;
    }

    bool isWhole(const TableRow &row) {
        const std::size_t cells = row.cells.size(), wanted = header_.size();
        const bool shape = cells == wanted || (cells == wanted + 1 && row.cells.back().empty());
        // A last row without line end may be half a number: left out when its last cell is shorter than any
        // before.
        const std::size_t length = shape ? row.cells[wanted - 1].size() : 0;
        const bool openQuote = std::count(row.text.begin(), row.text.end(), '"') % 2 != 0;
        const bool cut = !row.endsWithNewline && (!shape || length < shortestLast_ || openQuote);
        if (cut)
            run_.tally().add("truncated_input", row.line, "the file ends within this row, which was left out");
        else if (!shape || row.hadNul)
            run_.tally().add("malformed_row", row.line, kNoRow);
        if (cut || !shape || row.hadNul)
            return false;
        shortestLast_ = shortestLast_ == 0 ? length : std::min(shortestLast_, length);
        return true;
    }

    void fill(const TableRow &row) {
        cells_.clear();
        slices_.clear();
        for (std::size_t i = 0; i < header_.size(); ++i) {
            if (bound_[i].field == Field::Slice && !row.cells[i].empty())
                slices_.push_back({header_[i], row.cells[i]});
            else
                cells_.take(bound_[i], header_[i], row.cells[i]);
            if (bound_[i].isFigure() && row.cells[i].empty())
                run_.tally().add("missing_value", row.line, "cells without a value are unknown, not 0");
        }
    }

    bool isOfAnotherKind(const TableRow &row) {
        const std::vector<std::string> &wanted = run_.rules().onlyValues;
        const std::string_view text = cells_.of(Field::Only);
        const bool taken = wanted.empty() || std::find(wanted.begin(), wanted.end(), text) != wanted.end();
        if (taken && !anyMatches(run_.rules().skipValues, text))
            return false;
        run_.tally().add("unread_section", row.line,
                         "rows that are not one request each (other metrics, sums of other rows) are not shown");
        return true;
    }

    LogRun &run_;
    TableReader reader_;
    RequestReader requests_;
    FigureRows figures_;
    std::vector<std::string> header_, names_;
    std::string firstLine_;
    std::vector<BoundField> bound_;
    CellTexts cells_;
    std::vector<CellTexts::Attribute> slices_;
    std::size_t shortestLast_ = 0;
    std::string open_;  // lines of a row whose quoted text goes on
    std::uint64_t openLine_ = 0;
    std::int64_t openLines_ = 0;
};

}  // namespace

std::optional<std::size_t> headerRow(const LogRules &rules, const std::vector<std::vector<std::string>> &rows) {
    for (std::size_t i = 0; i < std::min(rows.size(), kRowsOfHead); ++i)
        if (fitsHeader(rules, namesOf(rows[i])) && isEnough(rules, rows[i]))
            return i;
    return std::nullopt;
}

Status readTable(LogRun &run) {
    return TableLog(run).read();
}

}  // namespace wattproof::importers::requests
