// What the columns of an unknown table seem to mean: by their names and units first, then by how their values run.
#include "importers/power/header_words.h"
#include "importers/power/table_guess.h"
#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"
#include "importers/time/stamp.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace wattproof::importers {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct Facts {
    std::size_t cells = 0, numbers = 0, whole = 0, distinct = 0;
    bool rising = true, strictly = true;
    double least = 0, most = 0, first = 0;
    std::string cellUnit;
    [[nodiscard]] bool numeric() const { return cells > 0 && numbers * 10 >= cells * 8; }
};

Facts factsOf(const Rows &rows, std::size_t column, bool decimalComma) {
    Facts facts;
    std::set<std::string> distinct;
    std::optional<double> last;
    for (const auto &row : rows) {
        const std::string &cell = row[column];
        if (cell.empty())
            continue;
        ++facts.cells;
        distinct.insert(cell);
        const auto number = parseNumber(cell, decimalComma);
        if (!number || (!number->rest.empty() && !unitScale(number->rest)))
            continue;
        const double value = number->value;
        if (!number->rest.empty())
            facts.cellUnit = number->rest;
        facts.least = facts.numbers == 0 ? value : std::min(facts.least, value);
        facts.most = facts.numbers == 0 ? value : std::max(facts.most, value);
        facts.first = facts.numbers == 0 ? value : facts.first;
        ++facts.numbers;
        facts.whole += value == std::floor(value) ? 1 : 0;
        facts.rising = facts.rising && (!last || value >= *last);
        facts.strictly = facts.strictly && (!last || value > *last);
        last = value;
    }
    facts.distinct = distinct.size();
    return facts;
}

std::string defaultUnit(const std::string &quantity, const Facts &facts, std::string &why) {
    const double size = std::max(std::abs(facts.least), std::abs(facts.most));
    if (quantity == "power" || quantity == "limit") {
        const char *unit = size > 5e6 ? "uW" : size > 5e3 ? "mW" : "W";
        why += std::string(", no unit stated: the size of its values suggests ") + unit;
        return unit;
    }
    if (quantity == "utilisation")
        return size <= 1 && facts.whole < facts.numbers ? "1" : "%";
    if (quantity == "energy")
        why += ", no unit stated: J assumed";
    return quantity == "energy"        ? "J"
           : quantity == "temperature" ? "C"
           : quantity == "clock"       ? size > 1e6 ? "Hz" : size < 20 ? "GHz" : "MHz"
           : quantity == "voltage"     ? size > 500 ? "mV" : "V"
           : quantity == "current"     ? size > 1000 ? "mA" : "A"
                                       : "1";
}

CounterKind kindOf(const std::string &quantity, const std::vector<std::string> &words, const Facts &facts) {
    if (quantity == "energy")
        return facts.rising && facts.numbers > 2 && facts.most > facts.least ? CounterKind::Counter : CounterKind::Delta;
    return quantity == "power" && hasWord(words, {"avg", "mean", "average"}) ? CounterKind::Mean : CounterKind::Gauge;
}

bool isDate(std::string_view cell) {
    return cell.size() >= 8 && cell.size() <= 10 && std::count_if(cell.begin(), cell.end(), [](char c) { return c == '-' || c == '/' || c == '.'; }) == 2 &&
           cell.find_first_not_of("0123456789-/.") == std::string_view::npos;
}

bool isClock(std::string_view cell) {
    const auto stamp = parseStamp(cell, StampUnit::Auto);
    return stamp && stamp->basis == StampBasis::TimeOfDay;
}

struct TimeGuess {
    int score = 0;
    std::string unit = "auto", why;
    bool timeOfDay = false;
};

// The unit of dates: as they are, else day first, else month first; where both fit, the one whose times ascend.
std::optional<TimeGuess> dates(const std::vector<std::string> &cells) {
    for (const char *word : {"auto", "datetime", "datetime_dmy", "datetime_mdy"}) {
        const StampUnit unit = *stampUnitFromWord(word);
        Ns last = 0;
        std::size_t read = 0, falling = 0;
        StampBasis basis = StampBasis::Relative;
        for (const std::string &cell : cells)
            if (const auto stamp = parseStamp(cell, unit)) {
                falling += read > 0 && stamp->ns < last ? 1 : 0;
                last = stamp->ns;
                basis = stamp->basis;
                ++read;
            }
        if (read * 10 < cells.size() * 9 || falling * 10 > read)
            continue;
        TimeGuess guess;
        guess.unit = word;
        guess.timeOfDay = basis == StampBasis::TimeOfDay;
        guess.why = guess.timeOfDay              ? "clock times without a date"
                    : unit == StampUnit::DateTimeDmy ? "dates, day first"
                    : unit == StampUnit::DateTimeMdy ? "dates, month first"
                                                     : "dates";
        return guess;
    }
    return std::nullopt;
}

std::string timeUnitOfHeader(std::string_view header, const std::vector<std::string> &words) {
    const std::string unit = lowered(splitUnit(header).unit);
    for (const std::string_view word : {"ns", "us", "ms", "s"})
        if (unit == word || (words.size() > 1 && words.back() == word))
            return std::string(word);
    if (unit == "sec" || unit == "seconds" || hasWord(words, {"sec", "secs", "seconds"}))
        return "s";
    return hasWord(words, {"milliseconds", "millis", "msec"}) ? "ms" : "";
}

// Counts without a unit: epochs tell it by their size, whole numbers in large steps are hardly seconds.
std::string timeUnitOfNumbers(const Facts &facts, std::string &why) {
    constexpr double kEpoch = 3e8;
    if (facts.least > kEpoch || facts.numbers < 2 || facts.whole < facts.numbers)
        return facts.least > kEpoch ? "auto" : "s";
    const double step = (facts.most - facts.least) / static_cast<double>(facts.numbers - 1);
    const char *unit = step >= 2e7 ? "ns" : step >= 2e4 ? "us" : step >= 20 ? "ms" : "s";
    why += std::string(", no unit stated: its steps suggest ") + unit;
    return unit;
}

TimeGuess guessTime(const MappedColumn &column, const std::vector<std::string> &cells, const Facts &facts) {
    const std::vector<std::string> words = wordsOf(splitUnit(column.header).name);
    const std::string lower = lowered(column.header);
    const bool named = hasPart(lower, {"time", "stamp", "epoch", "zeit", "elapsed"}) || hasWord(words, {"t", "date", "ts", "sec", "seconds"});
    TimeGuess guess;
    if (facts.numeric() && facts.cellUnit.empty()) {
        if (!facts.rising || facts.distinct < 2 || (!named && !(facts.strictly && facts.numbers > 4)))
            return guess;
        guess.score = named ? 6 : facts.least > 3e8 ? 4 : 1;
        guess.why = named ? "its name, and its values ascend" : "its values ascend";
        guess.unit = timeUnitOfHeader(column.header, words);
        if (guess.unit.empty())
            guess.unit = timeUnitOfNumbers(facts, guess.why);
        return guess;
    }
    if (facts.numeric() && !facts.cellUnit.empty())
        return guess;
    if (const auto found = dates(cells)) {
        guess = *found;
        guess.score = 5 + (named ? 3 : 0) - (guess.timeOfDay ? 1 : 0);
    }
    return guess;
}

std::vector<std::string> cellsOf(const Rows &rows, std::size_t column) {
    std::vector<std::string> cells;
    for (const auto &row : rows)
        if (!row[column].empty())
            cells.push_back(row[column]);
    return cells;
}

class Guesser {
public:
    Guesser(TableMapping &mapping, const Rows &rows) : mapping_(mapping), rows_(rows) {
        for (std::size_t i = 0; i < mapping.columns.size(); ++i)
            facts_.push_back(factsOf(rows, i, mapping.decimalComma));
    }

    void run() {
        if (rows_.empty())
            return;
        findTime();
        findDevice();
        for (std::size_t i = 0; i < mapping_.columns.size(); ++i)
            if (mapping_.columns[i].role == ColumnRole::Ignore)
                findValue(i);
    }

private:
    void findTime() {
        TimeGuess best;
        std::size_t at = 0;
        for (std::size_t i = 0; i < mapping_.columns.size(); ++i) {
            TimeGuess guess = guessTime(mapping_.columns[i], cellsOf(rows_, i), facts_[i]);
            if (guess.score > best.score) {
                best = std::move(guess);
                at = i;
            }
        }
        if (best.score == 0)
            return;
        mapping_.timeUnit = best.unit;
        mapping_.columns[at].role = ColumnRole::Time;
        mapping_.columns[at].why = best.why;
        if (best.timeOfDay)
            takeOther(at, ColumnRole::Date, isDate);
        else if (allAre(at, isDate))
            takeOther(at, ColumnRole::Time, isClock);
    }

    [[nodiscard]] bool allAre(std::size_t column, bool (*is)(std::string_view)) const {
        const std::vector<std::string> cells = cellsOf(rows_, column);
        return !cells.empty() && std::all_of(cells.begin(), cells.end(), is);
    }

    // The other half of times that stand in two columns.
    void takeOther(std::size_t at, ColumnRole role, bool (*is)(std::string_view)) {
        for (std::size_t i = 0; i < mapping_.columns.size(); ++i) {
            if (i == at || !allAre(i, is))
                continue;
            const std::size_t date = role == ColumnRole::Date ? i : at, time = date == i ? at : i;
            mapping_.columns[date].role = ColumnRole::Date;
            mapping_.columns[date].why = "days, beside the clock in \"" + mapping_.columns[time].header + "\"";
            mapping_.columns[time].role = ColumnRole::Time;
            mapping_.columns[time].why = "clock times";
            return takeDatedUnit(date, time);
        }
    }

    // Day and clock of two columns are read as one text.
    void takeDatedUnit(std::size_t date, std::size_t time) {
        std::vector<std::string> joined;
        for (const auto &row : rows_)
            joined.push_back(row[date] + " " + row[time]);
        if (const auto guess = dates(joined))
            mapping_.timeUnit = guess->unit;
    }

    // Few different texts or whole numbers, again and again.
    void findDevice() {
        for (std::size_t i = 0; i < mapping_.columns.size(); ++i) {
            MappedColumn &column = mapping_.columns[i];
            const Facts &facts = facts_[i];
            const bool repeats = facts.cells >= 1 && facts.distinct <= 64 && (facts.distinct * 2 <= facts.cells || facts.cells < 6);
            const std::vector<std::string> words = wordsOf(column.header);
            const bool named = words.size() <= 2 && hasWord(words, {"gpu", "device", "index", "id", "host", "hostname", "node", "rail", "sensor",
                                                                   "channel", "socket", "card", "chip", "zone", "uuid", "dev", "karte"});
            const bool whole = facts.numeric() && facts.whole == facts.numbers && facts.cellUnit.empty();
            if (column.role != ColumnRole::Ignore || !repeats || !named || (facts.numeric() && !whole) || (whole && (facts.most > 255 || facts.least < 0)) ||
                !unitOfHeader(column.header, words).empty() || !deviceOfHeader(lowered(column.header)).empty())
                continue;
            column.role = ColumnRole::Device;
            column.why = "its name, and few different values";
            mapping_.deviceIsIndex = whole;
            return;
        }
    }

    void findValue(std::size_t i) {
        MappedColumn &column = mapping_.columns[i];
        const Facts &facts = facts_[i];
        const std::string lower = lowered(column.header);
        const std::vector<std::string> words = wordsOf(splitUnit(column.header).name);
        const std::string stated = unitOfHeader(column.header, wordsOf(column.header));
        column.unit = stated.empty() ? facts.cellUnit : stated;
        const std::string byName = quantityOfName(lower, words), byUnit = quantityOfUnit(column.unit);
        const bool agree = byName == byUnit || byUnit.empty() || (byName == "limit" && byUnit == "power");
        column.quantity = byName.empty() || !agree ? byUnit : byName;
        column.device = deviceOfHeader(lower);
        if (!facts.numeric()) {
            column.why = facts.cells == 0 ? "empty" : "text";
            column.unit.clear();
            column.quantity.clear();
            return;
        }
        if (column.quantity.empty() && !column.device.empty() && words.size() <= 2 && facts.least >= 0) {
            column.quantity = "power";  // a bare "GPU0" beside a time is a reading of its power more often than not
            column.why = "a device's name alone: power assumed";
        } else if (column.quantity.empty()) {
            column.why = "neither name nor unit tells what it is";
            return;
        } else {
            column.why = !byName.empty() && agree ? "its name" : "its unit";
        }
        if (column.unit.empty())
            column.unit = defaultUnit(column.quantity, facts, column.why);
        column.kind = kindOf(column.quantity, words, facts);
        column.role = ColumnRole::Value;
        if (column.kind == CounterKind::Counter)
            column.why += ", and it only rises";
    }

    TableMapping &mapping_;
    const Rows &rows_;
    std::vector<Facts> facts_;
};

}  // namespace

void guessColumns(TableMapping &mapping, const Rows &rows) {
    Guesser(mapping, rows).run();
}

}  // namespace wattproof::importers
