#include "importers/power/power_run.h"

#include <algorithm>
#include <cmath>

namespace wattproof::importers {
namespace {

constexpr std::int64_t kRowsPerCheck = 4096;
constexpr auto kReportEvery = std::chrono::milliseconds(100);

std::string lineText(std::uint64_t line) {
    return "line " + std::to_string(line);
}

}  // namespace

PowerRun::PowerRun(Input &input, store::BulkWriter &writer, const Options &options, const Task &task,
                   const PowerResources &resources, const SensorFacts &facts)
    : input_(input), writer_(writer), options_(options), task_(task), resources_(resources), facts_(facts) {}

Expected<Summary> PowerRun::run(const Layout &layout) {
    descriptor_ = layout.descriptor;
    reader_.emplace(input_, descriptor_->delimiter);
    devices_.emplace(*descriptor_, resources_.classes);
    if (Status status = readPreamble(layout); !status)
        return passOn(status);
    if (Status status = readRows(); !status)
        return passOn(status);
    noteEnd();
    return finish(layout);
}

// Lines before the header are kept as metadata; the header itself is consumed, unless it is data.
Status PowerRun::readPreamble(const Layout &layout) {
    TableRow row;
    for (std::size_t i = 0; i < layout.headerRow + (layout.headerless ? 0 : 1); ++i) {
        Expected<bool> more = reader_->next(row);
        if (!more)
            return passOn(more);
        if (i < layout.headerRow && i < 3)
            preamble_ += (preamble_.empty() ? "" : "\n") + validUtf8(row.text.substr(0, 500));
    }
    if (Status status = bind(layout.header, row.line); !status)
        return status;
    Expected<TimeZone> zone = TimeZone::named(options_.timezone);
    if (!zone)
        return passOn(zone);
    clock_.emplace(descriptor_->timeUnit, binding_->numericUnit, std::move(*zone), !options_.timezone.empty());
    if (layout.headerless) {
        std::string list;
        for (const std::string &guess : layout.guessed)
            list += (list.empty() ? "" : ", ") + guess;
        tally_.add("guessed_columns", 1,
                   "the log has no header line; its columns were told by their units and looks: " + list,
                   static_cast<std::int64_t>(layout.guessed.size()));
    } else if (parseStamp(layout.header[binding_->timeCell], descriptor_->timeUnit)) {
        takeRow(row);  // columns mapped by index: the first line is data
    }
    return {};
}

Status PowerRun::bind(const std::vector<std::string> &header, std::uint64_t line) {
    Expected<Binding> binding = bindHeader(*descriptor_, {header.begin(), header.end()},
                                           input_.path() + (line > 0 ? ", " + lineText(line) : ""));
    if (!binding)
        return passOn(binding);
    binding_ = std::move(*binding);
    devices_->forgetColumns();
    maskColumn_.reset();
    deviceInRow_ =
        binding_->index || binding_->uuid || binding_->pci || binding_->model || binding_->host || binding_->name;
    for (std::size_t i = 0; i < binding_->columns.size(); ++i) {
        const BoundColumn &column = binding_->columns[i];
        deviceInRow_ = deviceInRow_ || (column.number.empty() && column.rule->device.empty());
        if (column.rule->bit)
            maskColumn_ = i;
    }
    for (const std::string &name : binding_->unread)
        unread_ += (unread_.empty() ? "" : ", ") + name;
    return {};
}

Status PowerRun::checkTask() {
    if (task_.cancelled())
        return cancelled();
    const auto now = std::chrono::steady_clock::now();
    if (now - reported_ >= kReportEvery) {
        reported_ = now;
        task_.report({"Reading " + input_.path(), input_.bytesConsumed(), input_.sizeBytes(), "bytes"});
    }
    return {};
}

Status PowerRun::readRows() {
    TableRow row;
    for (std::int64_t count = 0;; ++count) {
        if (count % kRowsPerCheck == 0)
            if (Status status = checkTask(); !status)
                return status;
        Expected<bool> more = reader_->next(row);
        if (!more)
            return passOn(more);
        if (!*more)
            return {};
        takeRow(row);
    }
}

void PowerRun::takeRow(const TableRow &row) {
    if (row.hadNul)
        tally_.add("malformed_row", row.line,
                   "lines that are no rows of the table (damaged, cut or of another shape) were skipped");
    if (row.hadNul && row.cells.size() != binding_->cells)
        return;
    if (isOtherThanData(row) || !hasWholeShape(row) || lastCellIsCut(row))
        return;
    std::optional<std::size_t> device;
    if (deviceInRow_) {
        device = devices_->ofRow(*binding_, row.cells);
        if (!device)
            return tally_.add("malformed_row", row.line, "the device column names too many devices to be one");
    }
    if (const auto at = place(row, device)) {
        ++events_;
        takeCells(row, *at, device);
    }
}

// Headers between rows and messages of the tool that wrote the log.
bool PowerRun::isOtherThanData(const TableRow &row) {
    if (isHeaderAgain(row))
        return true;
    if (row.cells.size() == binding_->cells)
        return false;
    const std::string text = lowered(row.text.substr(0, 300));
    for (const std::string &phrase : descriptor_->lost) {
        if (text.find(phrase) == std::string::npos)
            continue;
        tally_.add("device_lost", row.line,
                   "the log says that a device was lost: \"" + validUtf8(row.text.substr(0, 120)) +
                       "\"; its curve ends there");
        return true;
    }
    return false;
}

bool PowerRun::isHeaderAgain(const TableRow &row) {
    if (binding_->timeCell >= row.cells.size())
        return false;
    const std::string_view cell = row.cells[binding_->timeCell];
    if (cell.empty() || (cell.front() >= '0' && cell.front() <= '9'))
        return false;
    std::vector<std::string> names;
    for (const std::string_view text : row.cells)
        names.push_back(headerName(text));
    if (names == binding_->header) {
        tally_.add("repeated_header", row.line, "the header is repeated between rows; the repeats were skipped");
        return true;
    }
    if (!isHeader(*descriptor_, {row.cells.begin(), row.cells.end()}))
        return false;
    tally_.add("repeated_header", row.line,
               "the log was continued with another header; its columns were taken from there on");
    return bind({row.cells.begin(), row.cells.end()}, row.line).has_value();
}

bool PowerRun::hasWholeShape(const TableRow &row) {
    const std::size_t cells = row.cells.size();
    if (cells == binding_->cells || (cells == binding_->cells + 1 && row.cells.back().empty()))
        return true;
    if (!row.endsWithNewline && cells < binding_->cells)
        tally_.add("truncated_input", row.line, "the file ends within this row, which was left out");
    else
        tally_.add("malformed_row", row.line,
                   "lines that are no rows of the table (damaged, cut or of another shape) were skipped");
    return false;
}

// A last row without line end may be half a number: it is left out when its last cell is shorter than any before.
bool PowerRun::lastCellIsCut(const TableRow &row) {
    const std::size_t length = row.cells[binding_->cells - 1].size();
    if (!row.endsWithNewline && length < shortestLast_) {
        tally_.add("truncated_input", row.line, "the file ends within this row, which was left out");
        return true;
    }
    shortestLast_ = shortestLast_ == 0 ? length : std::min(shortestLast_, length);
    return false;
}

std::optional<PowerRun::RowPlace> PowerRun::place(const TableRow &row, std::optional<std::size_t> device) {
    const auto stated = clock_->read(row.cells[binding_->timeCell]);
    if (!stated) {
        tally_.add("malformed_row", row.line,
                   "the time \"" + validUtf8(row.cells[binding_->timeCell].substr(0, 60)) +
                       "\" is none, or of another kind than before: such rows were skipped");
        return std::nullopt;
    }
    StepGuard::Track &track = device ? devices_->all()[*device].track : columnTrack_;
    const auto placed = guard_.place(track, *stated);
    if (!placed) {
        tally_.add("timestamp_overflow", row.line, "rows whose time cannot be kept in 64 bits of nanoseconds were skipped");
        return std::nullopt;
    }
    const StepGuard::Placed &at = *placed;
    if (at.order == StepGuard::Order::SteppedBack)
        tally_.add("clock_backwards", row.line,
                   "the log's clock stepped back by " + shortNumber(static_cast<double>(at.step) / 1e9) +
                       " s; the rows after it keep their rhythm and stand after the ones before");
    else if (at.order == StepGuard::Order::Disordered)
        tally_.add("out_of_order", row.line, "rows stand out of order by less than a period; they were sorted");
    else if (at.order == StepGuard::Order::Same)
        tally_.add("duplicate_stamp", row.line,
                   "rows of one device carry the same time: the log's clock is coarser than its polls, or devices "
                   "are mixed");
    earliest_ = earliest_ ? std::min(*earliest_, at.ts) : at.ts;
    return RowPlace{at, row.line};
}

void PowerRun::takeCells(const TableRow &row, const RowPlace &at, std::optional<std::size_t> rowDevice) {
    for (std::size_t i = 0; i < binding_->columns.size(); ++i) {
        BoundColumn &column = binding_->columns[i];
        std::optional<std::size_t> device = rowDevice;
        if (!column.rule->device.empty())
            device = devices_->named(column.rule->device);
        else if (!column.number.empty())
            device = devices_->named("gpu" + column.number);
        if (device)
            takeCell(column, i, row.cells[column.cell], row, at, *device);
    }
    if (maskColumn_)
        flushMasks(at);
}

void PowerRun::takeCell(BoundColumn &column, std::size_t index, std::string_view cell, const TableRow &row,
                        const RowPlace &at, std::size_t deviceIndex) {
    LogDevice &device = devices_->all()[deviceIndex];
    if (column.rule->metadata)
        keepMetadata(column, index, cell, device);
    if (!column.rule->counter)
        return;
    const std::size_t channel = channelOf(deviceIndex, index);
    const std::optional<double> value = valueOf(column, cell);
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
    if (low || high)
        return channels_.addImplausible(channel, *value, at.line);
    double modulus = 0;
    if (column.rangeCell)
        if (const auto range = parseNumber(row.cells[*column.rangeCell], reader_->delimiter() != ','))
            modulus = column.rangeScale.apply(range->value);
    channels_.addValue(channel, at.at, *value, modulus, at.line);
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

// Damage of the stream, and lines too long to be rows.
void PowerRun::noteEnd() {
    if (!input_.damage().empty())
        tally_.add("truncated_input", 0, input_.damage());
    if (reader_->longLines() > 0)
        tally_.add("malformed_row", reader_->firstLongLine(),
                   "lines above 1 MiB are no rows of a table; they were skipped",
                   static_cast<std::int64_t>(reader_->longLines()));
    if (events_ == 0)
        tally_.add("no_samples", 0, "the table has a header but no row with a time");
}

// A log that does not name its GPU is told by the session's trace which one it was.
void PowerRun::takeModels() {
    for (LogDevice &device : devices_->all()) {
        const auto match = matchDevice(device.row, SourceKind::Power, options_.known);
        device.model =
            !device.row.model.empty() || !match ? device.row.model : options_.known[match->index].row.model;
    }
}

void PowerRun::writeMetadata(SourceId source) {
    const auto add = [&](const std::string &key, const std::string &value) {
        if (!value.empty())
            writer_.addMetadata({source, key, value});
    };
    for (const LogDevice &device : devices_->all()) {
        add(device.row.name + ".name", device.row.model);
        add(device.row.name + ".uuid", device.row.uuid);
        add(device.row.name + ".pci.bus_id", device.row.pci);
    }
    for (const MetadataRow &row : metadata_)
        add(row.key, row.value);
    add("preamble", preamble_);
    add("columns_not_read", unread_);
    if (options_.maxGapSeconds)
        add("max_gap_s", shortNumber(*options_.maxGapSeconds));
}

// Simulators say so in the name of the device; a power table has no other place for it.
bool PowerRun::isSimulated() {
    const auto &devices = devices_->all();
    return std::any_of(devices.begin(), devices.end(), [](const LogDevice &device) {
        return device.row.model.find("(simulated)") != std::string::npos;
    });
}

Expected<Summary> PowerRun::finish(const Layout &layout) {
    Summary summary;
    summary.path = input_.path();
    summary.format = options_.format.empty() ? layout.descriptor->format : options_.format;
    summary.events = events_;
    SourceRow row;
    row.kind = SourceKind::Power;
    row.path = input_.path();
    row.format = summary.format;
    row.sizeBytes = input_.sizeBytes();
    row.clock = clock_->basis();
    row.zone = clock_->zoneText();
    row.statedBase = earliest_.value_or(0);
    row.simulated = isSimulated();
    Expected<std::string> hash = input_.sha256();
    if (!hash)
        return passOn(hash);
    row.sha256 = std::move(*hash);
    Expected<SourceId> source = writer_.addSource(row);
    if (!source)
        return passOn(source);
    summary.source = *source;
    summary.bytes = input_.position();
    takeModels();
    ChannelWriter channels(writer_, *source, devices_->all(), channels_, facts_, tally_, options_.maxGapSeconds);
    if (Status status = channels.write(row.statedBase, summary, task_); !status)
        return passOn(status);
    writeMetadata(*source);
    tally_.write(writer_, *source, summary);
    if (Status status = writer_.finishSource(*source); !status)
        return passOn(status);
    return summary;
}

}  // namespace wattproof::importers
