#include "importers/nsys/nsys_columns.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace wattproof::importers {
namespace {

// "Start (ns)", "Start(nsec)" and "Start (us)" have one name.
std::string columnName(std::string_view cell) {
    return lowered(splitUnit(cell).name);
}

std::ptrdiff_t findColumn(const std::vector<std::string_view> &cells, std::string_view name) {
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (columnName(cells[i]) == name)
            return static_cast<std::ptrdiff_t>(i);
    return -1;
}

// Decimal places that turn a column's unit into whole ns (or bytes).
std::optional<int> timeDigits(std::string_view header) {
    const std::string unit = lowered(splitUnit(header).unit);
    if (unit == "ns" || unit == "nsec")
        return 0;
    if (unit == "us" || unit == "usec")
        return 3;
    if (unit == "ms" || unit == "msec")
        return 6;
    if (unit == "s" || unit == "sec")
        return 9;
    return std::nullopt;
}

int byteDigits(std::string_view header) {
    const std::string unit = lowered(splitUnit(header).unit);
    return unit == "kb" ? 3 : unit == "mb" ? 6 : unit == "gb" ? 9 : 0;
}

bool textHas(const std::string &text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

bool isHostMemory(std::string_view kind) {
    return kind == "Pageable" || kind == "Pinned" || kind == "Host";
}

CopyKind copyKindOf(const std::string &name, std::string_view source, std::string_view destination) {
    if (textHas(name, "peer") || textHas(name, "ptop"))
        return CopyKind::PeerToPeer;
    if (textHas(name, "host-to-host") || textHas(name, "htoh"))
        return CopyKind::HostToHost;
    if (textHas(name, "host-to-") || textHas(name, "htod") || textHas(name, "htoa"))
        return CopyKind::HostToDevice;
    if (textHas(name, "-to-host") || textHas(name, "dtoh") || textHas(name, "atoh"))
        return CopyKind::DeviceToHost;
    if (textHas(name, "-to-device") || textHas(name, "-to-array") || textHas(name, "dtod"))
        return CopyKind::DeviceToDevice;
    if (source.empty() || destination.empty())
        return CopyKind::Other;
    if (isHostMemory(source))
        return isHostMemory(destination) ? CopyKind::HostToHost : CopyKind::HostToDevice;
    return isHostMemory(destination) ? CopyKind::DeviceToHost : CopyKind::DeviceToDevice;
}

std::string_view cellAt(std::span<const std::string_view> cells, std::ptrdiff_t column) {
    return column < 0 ? std::string_view() : cells[static_cast<std::size_t>(column)];
}

}  // namespace

NsysDevice splitDevice(std::string_view text) {
    const auto [model, ordinal] = splitUnit(text);  // the ordinal stands in brackets, as units do
    const bool digits = !ordinal.empty() &&
                        std::all_of(ordinal.begin(), ordinal.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits ? NsysDevice{validUtf8(model), std::string(ordinal)} : NsysDevice{validUtf8(text), {}};
}

std::optional<NsysColumns> NsysColumns::fromHeader(const std::vector<std::string_view> &cells) {
    NsysColumns columns;
    columns.count_ = cells.size();
    const std::ptrdiff_t start = findColumn(cells, "start"), duration = findColumn(cells, "duration");
    const std::ptrdiff_t device = findColumn(cells, "device"), name = findColumn(cells, "name");
    if (start < 0 || duration < 0 || device < 0 || name < 0 || findColumn(cells, "strm") < 0)
        return std::nullopt;
    columns.start_ = static_cast<std::size_t>(start);
    columns.duration_ = static_cast<std::size_t>(duration);
    columns.device_ = static_cast<std::size_t>(device);
    columns.name_ = static_cast<std::size_t>(name);
    const auto startDigits = timeDigits(cells[columns.start_]),
               durationDigits = timeDigits(cells[columns.duration_]);
    if (!startDigits || !durationDigits)
        return std::nullopt;
    columns.startDigits_ = *startDigits;
    columns.durationDigits_ = *durationDigits;
    columns.correlation_ = findColumn(cells, "corrid");
    columns.stream_ = findColumn(cells, "strm");
    columns.context_ = findColumn(cells, "ctx");
    columns.source_ = findColumn(cells, "srcmemkd");
    columns.destination_ = findColumn(cells, "dstmemkd");
    columns.bytes_ = findColumn(cells, "bytes");
    if (columns.bytes_ >= 0)
        columns.byteDigits_ = byteDigits(cells[static_cast<std::size_t>(columns.bytes_)]);
    columns.grid_ = {findColumn(cells, "grdx"), findColumn(cells, "grdy"), findColumn(cells, "grdz")};
    columns.block_ = {findColumn(cells, "blkx"), findColumn(cells, "blky"), findColumn(cells, "blkz")};
    for (const char *key :
         {"reg/trd", "stcsmem", "dymsmem", "throughput", "srcmemkd", "dstmemkd", "ctx", "greenctx"})
        if (const std::ptrdiff_t column = findColumn(cells, key); column >= 0)
            columns.arguments_.push_back(
                {static_cast<std::size_t>(column), validUtf8(cells[static_cast<std::size_t>(column)])});
    return columns;
}

std::optional<std::array<std::int64_t, 3>> NsysColumns::triple(
    std::span<const std::string_view> cells, const std::array<std::ptrdiff_t, 3> &columns) const {
    std::array<std::int64_t, 3> values{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto value = decimalToInteger(cellAt(cells, columns[i]), 0);
        if (!value)
            return std::nullopt;
        values[i] = *value;
    }
    return values;
}

std::optional<NsysOperation> NsysColumns::read(std::span<const std::string_view> cells) const {
    const auto start = decimalToInteger(cells[start_], startDigits_);
    const auto duration = decimalToInteger(cells[duration_], durationDigits_);
    if (!start || !duration || *duration < 0 || cells[device_].empty() || cells[name_].empty())
        return std::nullopt;
    NsysOperation op;
    op.start = *start;
    op.duration = *duration;
    op.device = cells[device_];
    op.name = cells[name_];
    op.context = cellAt(cells, context_);
    op.stream = cellAt(cells, stream_);
    op.correlation = decimalToInteger(cellAt(cells, correlation_), 0).value_or(0);
    const std::string lower = lowered(op.name);
    if (lower.starts_with("[cuda mem")) {
        op.activity = lower.starts_with("[cuda memset") ? GpuActivity::Memset : GpuActivity::Memcpy;
        op.bytes = decimalToInteger(cellAt(cells, bytes_), byteDigits_);
    }
    if (op.activity == GpuActivity::Memcpy)
        op.copyKind = copyKindOf(lower, cellAt(cells, source_), cellAt(cells, destination_));
    op.grid = triple(cells, grid_);
    op.block = triple(cells, block_);
    return op;
}

void NsysColumns::arguments(std::span<const std::string_view> cells, Arguments &out) const {
    out.keys = "[";
    out.values = "[";
    for (const Argument &argument : arguments_) {
        const std::string_view cell = cells[argument.cell];
        if (cell.empty())
            continue;
        const char *comma = out.keys.size() > 1 ? "," : "";
        out.keys += comma + nlohmann::json(argument.key).dump();
        const auto number = parseNumber(cell, false);
        const bool plain = number && number->rest.empty();
        out.values +=
            comma + (plain ? nlohmann::json(number->value).dump() : nlohmann::json(validUtf8(cell)).dump());
    }
    out.keys += "]";
    out.values += "]";
}

}  // namespace wattproof::importers
