#include "importers/power/headerless.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"
#include "importers/time/stamp.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace wattproof::importers {
namespace {

using Rows = std::vector<std::vector<std::string>>;

bool isDate(const std::string &cell) {
    const auto stamp = parseStamp(cell, StampUnit::DateTime);
    return stamp && stamp->basis == StampBasis::Wall;
}

std::string unitOf(const std::string &cell) {
    const auto number = parseNumber(cell, false);
    return number ? std::string(number->rest) : std::string();
}

bool varies(const Rows &rows, std::size_t column) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const auto &row) { return row[column] != rows.front()[column]; });
}

std::vector<std::size_t> columnsWithUnit(const Rows &rows, std::string_view unit) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < rows.front().size(); ++i)
        if (std::any_of(rows.begin(), rows.end(), [&](const auto &row) { return unitOf(row[i]) == unit; }))
            columns.push_back(i);
    return columns;
}

// 0, 1, …, n-1 again and again (n may be 1): the index of the GPU.
bool countsDevices(const Rows &rows, std::size_t column) {
    std::set<std::string> values;
    for (const auto &row : rows)
        values.insert(row[column]);
    const std::size_t n = values.size();
    if (rows.size() < 2 * n || n > 16)
        return false;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i][column] != std::to_string(i % n))
            return false;
    return true;
}

// What the look of a cell alone tells; empty when it tells nothing.
std::string nameByLook(const std::string &cell) {
    const std::string lower = lowered(cell);
    if (lower.starts_with("gpu-") && cell.size() > 20)
        return "uuid";
    if (cell.size() >= 12 && cell.size() <= 16 && std::count(cell.begin(), cell.end(), ':') == 2 &&
        cell.ends_with(".0"))
        return "pci.bus_id";
    if (cell.starts_with("0x") && cell.size() == 18)
        return "clocks_event_reasons.active";
    if (cell.size() >= 2 && cell.size() <= 3 && cell[0] == 'P' && cell[1] >= '0' && cell[1] <= '9')
        return "pstate";
    for (const std::string_view word : {"nvidia", "tesla", "geforce", "quadro"})
        if (lower.find(word) != std::string::npos)
            return "name";
    return {};
}

class Guess {
public:
    explicit Guess(const Rows &rows) : rows_(rows) {
        for (std::size_t i = 0; i < rows.front().size(); ++i)
            result_.names.push_back("column " + std::to_string(i + 1));
    }

    GuessedHeader run() {
        set(0, "timestamp");
        for (std::size_t i = 1; i < rows_.front().size(); ++i)
            if (const std::string name = nameByLook(rows_.front()[i]); !name.empty())
                set(i, name);
        guessPower();
        guessSingle("MHz", "clocks.current.sm", " [MHz]");
        guessSingle("%", "utilization.gpu", " [%]");
        guessSingle("MiB", "memory.used", " [MiB]");
        for (std::size_t i = 1; i < std::min<std::size_t>(rows_.front().size(), 4); ++i)
            if (!taken_.contains(i) && countsDevices(rows_, i))
                set(i, "index");
        return std::move(result_);
    }

private:
    void set(std::size_t column, const std::string &name) {
        if (!taken_.insert(column).second || !names_.insert(name).second)
            return;
        result_.names[column] = name;
        if (name != "timestamp")
            result_.guessed.push_back(name + " = column " + std::to_string(column + 1));
    }

    // Limits in watts stand still, the draw does not.
    void guessPower() {
        const std::vector<std::size_t> watts = columnsWithUnit(rows_, "W");
        const auto moving =
            std::find_if(watts.begin(), watts.end(), [&](std::size_t i) { return varies(rows_, i); });
        if (watts.size() != 1 && moving == watts.end())
            return;
        set(moving != watts.end() ? *moving : watts.front(), "power.draw [W]");
        result_.hasPower = true;
    }

    void guessSingle(std::string_view unit, const std::string &name, const std::string &suffix) {
        const std::vector<std::size_t> columns = columnsWithUnit(rows_, unit);
        if (columns.size() == 1)
            set(columns.front(), name + suffix);
    }

    const Rows &rows_;
    GuessedHeader result_;
    std::set<std::size_t> taken_;
    std::set<std::string> names_;
};

}  // namespace

bool looksHeaderless(const Rows &rows) {
    if (rows.empty() || rows.front().size() < 2)
        return false;
    return std::all_of(rows.begin(), rows.end(), [&](const auto &row) {
        return row.size() == rows.front().size() && isDate(row.front()) && row.front().size() > 4 &&
               row.front()[4] == '/';
    });
}

GuessedHeader guessHeader(const Rows &rows) {
    return Guess(rows).run();
}

}  // namespace wattproof::importers
