#include "widgets/sql/result_order.h"

#include "store/stoppable_sort.h"

#include <cstdlib>

namespace wattproof::widgets {
namespace {

struct Cell {
    int rank = 0;  // of its type
    std::int64_t integer = 0;
    double real = 0;
    const std::string *text = nullptr;
    std::uint32_t row = 0;

    [[nodiscard]] int compare(const Cell &o) const {
        if (rank != o.rank)
            return rank < o.rank ? -1 : 1;
        if (text != nullptr)
            return text->compare(*o.text);
        if (real != o.real)
            return real < o.real ? -1 : 1;
        return integer == o.integer ? 0 : integer < o.integer ? -1 : 1;
    }
    bool operator<(const Cell &o) const {
        const int order = compare(o);
        return order != 0 ? order < 0 : row < o.row;
    }
};

Cell cellOf(const std::string &text, int type, std::size_t row) {
    Cell cell;
    cell.row = static_cast<std::uint32_t>(row);
    switch (type) {
        case store::kNull:
            break;
        case store::kInteger:
            cell.rank = 1;
            cell.integer = std::strtoll(text.c_str(), nullptr, 10);
            cell.real = static_cast<double>(cell.integer);
            break;
        case store::kFloat:
            cell.rank = 1;
            cell.real = std::strtod(text.c_str(), nullptr);
            break;
        default:
            cell.rank = type == store::kText ? 2 : 3;
            cell.text = &text;
    }
    return cell;
}

// Backwards, but equal cells as they came.
void turnRound(std::vector<Cell> &cells) {
    std::reverse(cells.begin(), cells.end());
    for (auto first = cells.begin(); first != cells.end();) {
        const auto last = std::find_if(first, cells.end(), [&](const Cell &c) { return c.compare(*first) != 0; });
        std::reverse(first, last);
        first = last;
    }
}

}  // namespace

std::optional<std::vector<std::uint32_t>> orderBy(const store::QueryResult &result, std::size_t column,
                                                 bool descending, const std::stop_token &stop) {
    std::vector<Cell> cells;
    cells.reserve(result.rows.size());
    for (std::size_t row = 0; row < result.rows.size(); ++row)
        cells.push_back(cellOf(result.rows[row][column], result.types[row][column], row));
    if (!store::sortUnlessStopped(cells.begin(), cells.end(), stop))
        return std::nullopt;
    if (descending)
        turnRound(cells);
    std::vector<std::uint32_t> order;
    order.reserve(cells.size());
    for (const Cell &cell : cells)
        order.push_back(cell.row);
    return order;
}

std::optional<double> numberAt(const store::QueryResult &result, std::size_t row, std::size_t column) {
    const int type = result.types[row][column];
    if (type != store::kInteger && type != store::kFloat)
        return std::nullopt;
    return std::strtod(result.rows[row][column].c_str(), nullptr);
}

}  // namespace wattproof::widgets
