#include "importers/power/power_run.h"

#include <algorithm>
#include <cmath>

namespace wattproof::importers {
namespace {

constexpr std::int64_t kRowsPerCheck = 4096;

}  // namespace

PowerRun::PowerRun(Input &input, store::BulkWriter &writer, const Options &options, const Task &task,
                   const PowerResources &resources, const SensorFacts &facts)
    : input_(input), writer_(writer), options_(options), task_(task), resources_(resources), facts_(facts) {}

Expected<Summary> PowerRun::run(const Layout &layout) {
    descriptor_ = layout.descriptor;
    source_ = makeRowSource(input_, *descriptor_);
    devices_.emplace(*descriptor_, resources_.classes);
    if (Status status = settlePeriod(); !status)
        return passOn(status);
    if (Status status = readPreamble(layout); !status)
        return passOn(status);
    if (Status status = readRows(); !status)
        return passOn(status);
    if (!binding_)
        return tl::unexpected<Error>(bindError_.value_or(
            Error{"the log holds nothing that can be read as " + descriptor_->title, input_.path(), "record it again"}));
    noteEnd();
    return finish(layout);
}

Status PowerRun::openClock() {
    Expected<TimeZone> zone = TimeZone::named(options_.timezone);
    if (!zone)
        return passOn(zone);
    clock_.emplace(descriptor_->timeUnit, binding_ ? binding_->numericUnit : StampUnit::Auto, std::move(*zone),
                   !options_.timezone.empty());
    return {};
}

// Lines before the header are kept as metadata; the header itself is consumed, unless it is data.
Status PowerRun::readPreamble(const Layout &layout) {
    if (!source_->isTable())
        return openClock();
    TableRow row;
    for (std::size_t i = 0; i < layout.headerRow + (layout.headerless ? 0 : 1); ++i) {
        Expected<bool> more = source_->next(row);
        if (!more)
            return passOn(more);
        if (i < layout.headerRow && i < 3)
            preamble_ += (preamble_.empty() ? "" : "\n") + validUtf8(row.text.substr(0, 500));
    }
    if (Status status = bind(layout.header, row.line); !status)
        return status;
    if (Status status = openClock(); !status)
        return status;
    if (layout.headerless && layout.guessed.empty())
        return {};  // its descriptor names the columns by position
    if (layout.headerless) {
        std::string list;
        for (const std::string &guess : layout.guessed)
            list += (list.empty() ? "" : ", ") + guess;
        tally_.add("guessed_columns", 1,
                   "the log has no header line; its columns were told by their units and looks: " + list,
                   static_cast<std::int64_t>(layout.guessed.size()));
    } else if (binding_->timeCell && parseStamp(layout.header[*binding_->timeCell], descriptor_->timeUnit)) {
        takeRow(row);  // columns mapped by index: the first line is data
    }
    return {};
}

Status PowerRun::bind(const std::vector<std::string> &header, std::uint64_t line) {
    Expected<Binding> binding = bindHeader(*descriptor_, {header.begin(), header.end()},
                                           input_.path() + (line > 0 ? ", line " + std::to_string(line) : ""));
    if (!binding)
        return passOn(binding);
    binding_ = std::move(*binding);
    devices_->forgetColumns();
    maskColumn_.reset();
    deviceInRow_ =
        binding_->index || binding_->uuid || binding_->pci || binding_->model || binding_->host || binding_->name;
    for (std::size_t i = 0; i < binding_->columns.size(); ++i) {
        const BoundColumn &column = binding_->columns[i];
        deviceInRow_ = deviceInRow_ || (column.number.empty() && column.device.empty());
        if (column.rule->bit)
            maskColumn_ = i;
    }
    noteColumns();
    return {};
}

void PowerRun::noteColumns() {
    std::string unread;
    for (const std::string &name : binding_->unread)
        if (unread.size() < kMostNames)
            unread += (unread.empty() ? "" : ", ") + name;
    if (source_->isTable() && !unread_.empty())
        unread_ += ", " + unread;
    else
        unread_ = std::move(unread);  // records name all columns again
    for (const std::string &name : binding_->repeated)
        if (repeated_.insert(name).second)
            tally_.add("repeated_column", 0,
                       "columns of one name are told apart by number or unit, and only the first is added up: \"" + name +
                           "\"");
    for (const std::string &name : binding_->unknownUnits)
        if (unknownUnits_.insert(name).second)
            tally_.add("unknown_unit", 0,
                       "columns whose unit is none that is known are not read; the first is \"" + name + "\"");
}

Status PowerRun::readRows() {
    TableRow row;
    for (std::int64_t count = 0;; ++count) {
        if (count % kRowsPerCheck == 0)
            if (Status status = checkTask(); !status)
                return status;
        Expected<bool> more = source_->next(row);
        if (!more)
            return passOn(more);
        if (!*more)
            return {};
        if (const std::vector<std::string> *header = source_->changedHeader())
            if (Status status = bind(*header, row.line); !status)
                bindError_ = std::move(status.error());
        if (binding_)
            takeRow(row);
    }
}

void PowerRun::takeRow(const TableRow &line) {
    TableRow row = line;
    if (row.hadNul)
        tally_.add("malformed_row", row.line,
                   "lines that are no rows of the table (damaged, cut or of another shape) were skipped");
    if (row.hadNul && row.cells.size() != binding_->cells)
        return;
    if (source_->isTable()) {
        if (isOtherThanData(row))
            return;
        fitCells(row);
        if (!hasWholeShape(row) || lastCellIsCut(row))
            return;
    }
    padded_.assign(row.cells.begin(), row.cells.end());
    padded_.resize(std::max(padded_.size(), binding_->cells));  // absent cells
    row.cells = padded_;
    if (isFiltered(row) || saysNothing(row))
        return;
    std::optional<std::size_t> device;
    if (deviceInRow_) {
        device = devices_->ofRow(*binding_, row.cells);
        if (!device)
            return tally_.add("malformed_row", row.line, "the device column names too many devices to be one");
    }
    takePart(row);
    if (const auto at = place(row, device)) {
        ++events_;
        takeCells(row, *at, device);
    }
}

// What tells this row's readings from others of the device ("1234 python").
void PowerRun::takePart(const TableRow &row) {
    part_.clear();
    for (const std::size_t cell : binding_->partCells)
        if (!meansMissing(*descriptor_, row.cells[cell]))
            part_ += (part_.empty() ? "" : " ") + validUtf8(row.cells[cell].substr(0, 100));
    if (binding_->partIsLine)
        part_ += (part_.empty() ? "line " : ", line ") + std::to_string(row.line);
}

void PowerRun::takeCells(const TableRow &row, const RowPlace &at, std::optional<std::size_t> rowDevice) {
    for (std::size_t i = 0; i < binding_->columns.size(); ++i) {
        BoundColumn &column = binding_->columns[i];
        std::optional<std::size_t> device = rowDevice;
        if (!row.cells[column.cell].data())
            continue;
        if (!column.device.empty())
            device = fixedDevice(column, rowDevice);
        else if (!column.number.empty())
            device = devices_->named("gpu" + column.number);
        if (device)
            takeCell(column, i, row.cells[column.cell], row, at, *device);
    }
    if (maskColumn_)
        flushMasks(at);
}

// A column's own device; "#" that its name does not tell is the number of the row's device.
std::optional<std::size_t> PowerRun::fixedDevice(const BoundColumn &column, std::optional<std::size_t> rowDevice) {
    const std::size_t hash = column.device.find('#');
    if (hash == std::string::npos)
        return devices_->named(column.device);
    const std::string id = rowDevice ? devices_->all()[*rowDevice].row.nativeId : std::string();
    const std::size_t digits = id.find_first_of("0123456789");
    std::string name = column.device;
    if (digits == std::string::npos)
        name.erase(hash > 0 && name[hash - 1] == '-' ? hash - 1 : hash);
    else
        name.replace(hash, 1, id.substr(digits, id.find_first_not_of("0123456789", digits) - digits));
    return devices_->named(name);
}

void PowerRun::takeCell(BoundColumn &column, std::size_t index, std::string_view cell, const TableRow &row,
                        const RowPlace &at, std::size_t deviceIndex) {
    LogDevice &device = devices_->all()[deviceIndex];
    if (column.rule->metadata)
        keepMetadata(column, index, cell, device);
    if (!column.rule->expect.empty() && lowered(cell) != column.rule->expect)
        tally_.add("sensor_state", at.line,
                   "the log says \"" + validUtf8(cell.substr(0, 60)) + "\" of " + column.name + ", not \"" +
                       column.rule->expect + "\": its readings may mean nothing");
    if (!column.rule->counter)
        return;
    const std::size_t channel = channelOf(deviceIndex, index);
    std::optional<double> value = valueOf(column, cell);
    if (value && column.factorCell) {
        const auto factor = parseNumber(row.cells[*column.factorCell], source_->decimalComma());
        value = factor ? std::optional(*value * column.factorScale.apply(factor->value)) : std::nullopt;
    }
    if (value && column.durationCell)
        takeDuration(row.cells[*column.durationCell], channel);
    if (!value) {
        channels_.addMissing(channel, cell, at.line);
        return noteLost(cell, device, at.line);
    }
    if (column.rule->bit) {
        if (!device.maskSeen)
            masked_.push_back(deviceIndex);
        device.maskSeen = true;
        device.maskBits += *value * std::ldexp(1.0, *column.rule->bit);
        return;
    }
    const bool low = column.rule->above && *value <= *column.rule->above;
    const bool high = column.rule->below && *value >= *column.rule->below;
    if (low || high || (column.rule->never && *value == *column.rule->never))
        return channels_.addImplausible(channel, *value, at.line);
    double modulus = 0;
    if (column.rangeCell)
        if (const auto range = parseNumber(row.cells[*column.rangeCell], source_->decimalComma()))
            modulus = column.rangeScale.apply(range->value);
    channels_.addValue(channel, at.at, *value, modulus, at.line);
}

void PowerRun::takeDuration(std::string_view cell, std::size_t channel) {
    const auto seconds = parseNumber(cell, source_->decimalComma());
    if (!seconds || seconds->value <= 0 || seconds->value >= 1e9)
        return;
    channels_.all()[channel].window = static_cast<Ns>(std::llround(seconds->value * 1e9));
}

// The flags of the row's single columns make one mask.
void PowerRun::flushMasks(const RowPlace &at) {
    for (const std::size_t index : masked_) {
        LogDevice &device = devices_->all()[index];
        channels_.addValue(channelOf(index, *maskColumn_), at.at, device.maskBits, 0, at.line);
        device.maskBits = 0;
        device.maskSeen = false;
    }
    masked_.clear();
}

std::size_t PowerRun::channelOf(std::size_t deviceIndex, std::size_t column) {
    LogDevice &device = devices_->all()[deviceIndex];
    if (!part_.empty())
        return channels_.find(deviceIndex, device.domain, binding_->columns[column], part_);
    if (device.channels.empty())
        device.channels.assign(binding_->columns.size(), -1);
    std::ptrdiff_t &channel = device.channels[column];
    if (channel < 0)
        channel =
            static_cast<std::ptrdiff_t>(channels_.find(deviceIndex, device.domain, binding_->columns[column]));
    return static_cast<std::size_t>(channel);
}

void PowerRun::keepMetadata(const BoundColumn &column, std::size_t index, std::string_view cell,
                            LogDevice &device) {
    if (device.metadataSeen.empty())
        device.metadataSeen.assign(binding_->columns.size(), false);
    if (device.metadataSeen[index] || meansMissing(*descriptor_, cell))
        return;
    device.metadataSeen[index] = true;
    metadata_.push_back({{}, device.row.name + "." + column.name, validUtf8(cell.substr(0, 500))});
}

void PowerRun::noteLost(std::string_view cell, LogDevice &device, std::uint64_t line) {
    if (device.lost || cell.find("lost") == std::string_view::npos)
        return;
    device.lost = true;
    tally_.add(
        "device_lost", line,
        device.row.name + " was lost (\"" + validUtf8(cell.substr(0, 60)) + "\"); its curves end where they end");
}

}  // namespace wattproof::importers
