#include "importers/power/binding.h"

#include "importers/table/table_reader.h"

#include <algorithm>
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
        std::optional<std::size_t> cell = findCell(descriptor_.timeNames, result_.header);
        if (descriptor_.timeIndex && static_cast<std::size_t>(*descriptor_.timeIndex) < texts_.size())
            cell = static_cast<std::size_t>(*descriptor_.timeIndex);
        if (!cell)
            return false;
        result_.timeCell = *cell;
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
    }

    void bindRule(const ColumnRule &rule) {
        if (rule.index && static_cast<std::size_t>(*rule.index) < texts_.size())
            return bindCell(rule, static_cast<std::size_t>(*rule.index), "");
        for (const std::string &name : rule.names) {
            bool found = false;
            for (std::size_t cell = 0; cell < result_.header.size(); ++cell) {
                const auto digits = matchName(name, result_.header[cell]);
                if (!digits || used_.contains(cell))
                    continue;
                bindCell(rule, cell, *digits);
                found = true;
                if (digits->empty())
                    break;
            }
            if (found)
                return;
        }
    }

    void bindCell(const ColumnRule &rule, std::size_t cell, const std::string &digits) {
        BoundColumn column;
        column.cell = cell;
        column.rule = &rule;
        column.number = digits;
        const auto [name, unit] = splitUnit(texts_[cell]);
        column.name = rule.label.empty() ? std::string(name) : rule.label;
        const std::optional<UnitScale> fallback = unitScale(rule.unit);
        const std::optional<UnitScale> stated = unit.empty() ? std::nullopt : unitScale(unit);
        if (stated && fallback && stated->unit != fallback->unit)
            return;  // a column of that name in another dimension is not the one the rule means
        column.scale = stated ? *stated : fallback.value_or(UnitScale{"1", 1, 1});
        column.rangeCell = findCell(rule.range, result_.header);
        if (column.rangeCell) {
            used_.insert(*column.rangeCell);
            column.rangeScale = column.scale;
        }
        used_.insert(cell);
        result_.columns.push_back(std::move(column));
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
    Binding result_;
};

}  // namespace

Expected<Binding> bindHeader(const Descriptor &descriptor, const std::vector<std::string_view> &header,
                             const std::string &where) {
    return Binder(descriptor, header).run(where);
}

}  // namespace wattproof::importers
