#include "importers/power/binding.h"

#include "importers/power/header_words.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace wattproof::importers {
namespace {

std::optional<std::size_t> findCell(const std::vector<std::string> &names,
                                    const std::vector<std::string> &header) {
    for (const std::string &name : names) {
        const auto it = std::find(header.begin(), header.end(), name);
        if (it != header.end())
            return static_cast<std::size_t>(it - header.begin());
    }
    return std::nullopt;
}

// "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)": minutes west of UTC, as an offset that a time can carry.
std::string zoneOfTimeHeader(std::string_view cell) {
    const auto minutes = parseNumber(splitUnit(cell).unit, false);
    if (!minutes || !minutes->rest.empty() || std::abs(minutes->value) > 18 * 60)
        return {};
    const int east = -static_cast<int>(minutes->value), size = std::abs(east);
    const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    return (east < 0 ? " -" : " +") + two(size / 60) + ":" + two(size % 60);
}

StampUnit unitOfTimeHeader(std::string_view cell) {
    const auto [name, unit] = splitUnit(cell);
    if (const auto stated = stampUnitFromWord(unit); stated && !unit.empty())
        return *stated;
    const std::string lower = lowered(name);
    for (const std::string_view word : {"ns", "us", "ms", "s"})
        if (lower.ends_with("_" + std::string(word)))
            return *stampUnitFromWord(word);
    return StampUnit::Auto;
}

class Binder {
public:
    Binder(const Descriptor &descriptor, const std::vector<std::string_view> &cells) : descriptor_(descriptor) {
        for (const std::string_view cell : cells) {
            texts_.push_back(validUtf8(cell));
            result_.header.push_back(headerName(cell));
        }
        result_.cells = cells.size();
    }

    Expected<Binding> run(const std::string &where) {
        if (!bindTime())
            return failure("the table has no time column", where, columnsSentence());
        bindDevice();
        if (descriptor_.columnBlocks)
            countBlocks();
        for (const ColumnRule &rule : descriptor_.columns)
            bindRule(rule);
        const bool values = std::any_of(result_.columns.begin(), result_.columns.end(),
                                        [](const BoundColumn &column) { return column.rule->counter; });
        if (!values)
            return failure(
                "the table has a time column but none with power, energy, temperature, clock or utilisation",
                where, columnsSentence());
        dropFlagsThatTheMaskHolds();
        for (std::size_t i = 0; i < texts_.size(); ++i)
            if (!used_.contains(i))
                result_.unread.push_back(texts_[i]);
        return std::move(result_);
    }

private:
    bool bindTime() {
        std::optional<std::size_t> cell;
        for (std::size_t i = 0; i < descriptor_.timeNames.size() && !cell; ++i)
            for (std::size_t at = 0; at < result_.header.size() && !cell; ++at)
                if (matchName(descriptor_.timeNames[i], result_.header[at]))
                    cell = at;
        if (descriptor_.timeIndex && static_cast<std::size_t>(*descriptor_.timeIndex) < texts_.size())
            cell = static_cast<std::size_t>(*descriptor_.timeIndex);
        if (!cell)
            return descriptor_.periodSeconds > 0;
        result_.timeCell = *cell;
        result_.dateCell = findCell(descriptor_.dateNames, result_.header);
        if (result_.dateCell)
            used_.insert(*result_.dateCell);
        if (descriptor_.zoneInHeader)
            result_.zone = zoneOfTimeHeader(texts_[*cell]);
        else
            result_.numericUnit = unitOfTimeHeader(texts_[*cell]);
        used_.insert(*cell);
        return true;
    }

    void bindDevice() {
        const DeviceRule &rule = descriptor_.device;
        const auto bind = [this](const std::vector<std::string> &names) {
            const auto cell = findCell(names, result_.header);
            if (cell)
                used_.insert(*cell);
            return cell;
        };
        result_.index = bind(rule.index);
        result_.uuid = bind(rule.uuid);
        result_.pci = bind(rule.pci);
        result_.model = bind(rule.model);
        result_.host = bind(rule.host);
        result_.name = bind(rule.name);
        if (result_.name)
            result_.nameHeader = result_.header[*result_.name];
        result_.onlyCell = findCell(descriptor_.only, result_.header);
        if (result_.onlyCell)
            used_.insert(*result_.onlyCell);
        for (const std::string &name : descriptor_.part) {
            result_.partIsLine = result_.partIsLine || name == "line number";
            if (const auto cell = findCell({name}, result_.header)) {
                result_.partCells.push_back(*cell);
                used_.insert(*cell);
            }
        }
    }

    // Where the name of a column of some device returns, the columns of the next device begin.
    void countBlocks() {
        blocks_.assign(result_.header.size(), 0);
        std::set<std::string> seen;
        std::size_t block = 0;
        for (std::size_t cell = 0; cell < result_.header.size(); ++cell) {
            const std::string &name = result_.header[cell];
            const bool numbered = std::any_of(
                descriptor_.columns.begin(), descriptor_.columns.end(), [&name](const ColumnRule &rule) {
                    return rule.device.find('#') != std::string::npos &&
                           std::find(rule.names.begin(), rule.names.end(), name) != rule.names.end();
                });
            if (numbered && !seen.insert(name).second) {
                ++block;
                seen = {name};
            }
            blocks_[cell] = block;
        }
    }

    void bindRule(const ColumnRule &rule) {
        if (rule.index && static_cast<std::size_t>(*rule.index) < texts_.size())
            return bindCell(rule, static_cast<std::size_t>(*rule.index), "", 0);
        for (const std::string &name : rule.names) {
            bool found = false;
            for (std::size_t cell = 0; cell < result_.header.size(); ++cell) {
                const auto digits = matchName(name, result_.header[cell]);
                if (!digits || used_.contains(cell))
                    continue;
                bindCell(rule, cell, *digits, name.find('*'));
                found = true;
            }
            if (found)
                return;
        }
    }

    // star: where the text of a "*" begins, which "*" as the device stands for.
    void bindCell(const ColumnRule &rule, std::size_t cell, const std::string &digits, std::size_t star) {
        BoundColumn column;
        column.cell = cell;
        column.rule = &rule;
        column.number = digits;
        column.device = rule.device;
        const std::string &number = blocks_.empty() ? digits : std::to_string(blocks_[cell]);
        if (const std::size_t hash = column.device.find('#'); hash != std::string::npos && !number.empty())
            column.device.replace(hash, 1, number);
        const auto [name, unit] = splitUnit(texts_[cell]);
        if (rule.device == "*")
            column.device = star < name.size() ? name.substr(star) : name;
        column.name = rule.label.empty() ? std::string(name) : rule.label;
        const std::optional<UnitScale> fallback = unitScale(rule.unit);
        const std::optional<UnitScale> stated = unit.empty() ? std::nullopt : unitScale(unit);
        if (!unit.empty() && !stated && fallback && rule.counter && rule.kind != CounterKind::Flags)
            return result_.unknownUnits.push_back(texts_[cell]);
        if (stated && fallback && stated->unit != fallback->unit)
            return;  // a column of that name in another dimension is not the one the rule means
        column.scale = stated ? *stated : fallback.value_or(UnitScale{"1", 1, 1});
        column.unit = column.scale.unit;
        column.unitInHeader = stated || !unitOfHeader(texts_[cell], wordsOf(texts_[cell])).empty();
        if (!bindFactor(column))
            return;
        column.rangeCell = findCell(rule.range, result_.header);
        if (column.rangeCell) {
            used_.insert(*column.rangeCell);
            column.rangeScale = column.scale;
        }
        column.durationCell = findCell(rule.duration, result_.header);
        used_.insert(cell);
        giveOwnName(column, unit);
        result_.columns.push_back(std::move(column));
    }

    // Amperes need the volts beside them to become watts.
    bool bindFactor(BoundColumn &column) {
        if (column.rule->times.empty())
            return true;
        column.factorCell = findCell(column.rule->times, result_.header);
        if (!column.factorCell)
            return false;
        const std::string_view unit = splitUnit(texts_[*column.factorCell]).unit;
        const auto stated = unitScale(unit.empty() ? std::string_view(column.rule->timesUnit) : unit);
        if (!stated)
            return false;
        column.factorScale = *stated;
        column.unit = column.scale.unit == "A" && stated->unit == "V" ? "W" : column.scale.unit;
        return true;
    }

    // Tables may name two columns alike, or in two units: each becomes a counter of its own.
    void giveOwnName(BoundColumn &column, std::string_view unit) {
        if (column.rule->bit || !column.rule->counter)
            return;
        const std::string key = column.device + "\x1f" + column.number + "\x1f";
        const std::string plain = column.name;
        if (taken_.insert(key + plain).second)
            return;
        result_.repeated.push_back(plain);
        if (!unit.empty())
            column.name = plain + " [" + std::string(unit) + "]";
        for (int n = 2; !taken_.insert(key + column.name).second; ++n)
            column.name = plain + " #" + std::to_string(n);
    }

    // The columns of single reasons repeat what the mask says.
    void dropFlagsThatTheMaskHolds() {
        const auto isMask = [](const BoundColumn &c) {
            return c.rule->kind == CounterKind::Flags && !c.rule->bit;
        };
        std::set<std::string> masks;
        for (const BoundColumn &column : result_.columns)
            if (isMask(column))
                masks.insert(column.rule->flagTable);
        std::erase_if(result_.columns,
                      [&](const BoundColumn &c) { return c.rule->bit && masks.contains(c.rule->flagTable); });
    }

    [[nodiscard]] std::string columnsSentence() const {
        std::string list;
        for (std::size_t i = 0; i < texts_.size() && i < 12; ++i)
            list += (i == 0 ? "" : ", ") + texts_[i].substr(0, 40);
        return "give a descriptor that names its columns (docs/formats.md); it has: " + list +
               (texts_.size() > 12 ? " …" : "");
    }

    const Descriptor &descriptor_;
    std::vector<std::string> texts_;
    std::set<std::size_t> used_;
    std::vector<std::size_t> blocks_;  // by cell: how many devices' columns stand before it
    std::set<std::string> taken_;      // names of counters, by device
    Binding result_;
};

}  // namespace

Expected<Binding> bindHeader(const Descriptor &descriptor, const std::vector<std::string_view> &header,
                             const std::string &where) {
    return Binder(descriptor, header).run(where);
}

}  // namespace wattproof::importers
