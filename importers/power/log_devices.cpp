#include "importers/power/log_devices.h"

#include "importers/table/table_reader.h"

#include <algorithm>
#include <utility>

namespace wattproof::importers {
namespace {

bool allDigits(std::string_view text) {
    return !text.empty() && text.size() < 10 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

DeviceKind kindOfHeader(const std::string &header, DeviceKind otherwise) {
    if (header == "host" || header == "hostname" || header == "node")
        return DeviceKind::Node;
    if (header == "rail")
        return DeviceKind::Rail;
    return header == "zone" || header == "domain" ? DeviceKind::Other : otherwise;
}

std::string cellText(const std::optional<std::size_t> &cell, std::span<const std::string_view> cells) {
    return cell ? validUtf8(cells[*cell].substr(0, 200)) : std::string();
}

}  // namespace

bool meansMissing(const Descriptor &descriptor, std::string_view cell) {
    if (cell.empty())
        return true;
    if (cell.size() > 80)
        return false;
    if (cell.front() == '[' && cell.back() == ']')
        cell = cell.substr(1, cell.size() - 2);
    const std::string text = lowered(cell);
    return std::find(descriptor.missing.begin(), descriptor.missing.end(), text) != descriptor.missing.end();
}

LogDevices::LogDevices(const Descriptor &descriptor, const std::vector<DeviceClass> &classes)
    : descriptor_(descriptor), classes_(classes) {}

bool LogDevices::isMissing(std::string_view cell) const {
    return meansMissing(descriptor_, cell);
}

// The cell that tells this device from others: the first that has a value, most stable first.
std::string_view LogDevices::identity(const Binding &binding, std::span<const std::string_view> cells) const {
    for (const auto &cell : {binding.index, binding.name, binding.uuid, binding.pci, binding.model})
        if (cell && !isMissing(cells[*cell]))
            return cells[*cell];
    return {};
}

std::size_t LogDevices::add(const std::string &key, LogDevice device) {
    devices_.push_back(std::move(device));
    keys_.push_back(key);
    byKey_.emplace(key, devices_.size() - 1);
    return devices_.size() - 1;
}

std::optional<std::size_t> LogDevices::ofRow(const Binding &binding, std::span<const std::string_view> cells) {
    const std::string_view id = identity(binding, cells);
    key_.assign(id);
    if (binding.host)
        key_.append("\x1f").append(cells[*binding.host]);
    // Rows of one moment come in the same order again and again.
    for (std::size_t step = 0; step < 2 && !keys_.empty(); ++step) {
        const std::size_t guess = (last_ + step) % keys_.size();
        if (keys_[guess] == key_)
            return last_ = guess;
    }
    const auto it = byKey_.find(key_);
    if (it != byKey_.end())
        return last_ = it->second;
    if (devices_.size() >= kMax)
        return std::nullopt;
    return last_ = add(key_, fromRow(binding, cells, id));
}

std::optional<std::size_t> LogDevices::named(const std::string &name) {
    const std::string key = "\x1e" + name;
    if (const auto it = byKey_.find(key); it != byKey_.end())
        return it->second;
    if (devices_.size() >= kMax)
        return std::nullopt;
    return add(key, fromName(name, descriptor_.device.kind));
}

LogDevice LogDevices::fromName(std::string_view name, DeviceKind kind) const {
    LogDevice device;
    device.row.name = validUtf8(name.substr(0, 200));
    device.row.nativeId = device.row.name;
    device.row.kind = kind;
    device.domain = kind == DeviceKind::Gpu ? "board" : kind == DeviceKind::Node ? "node" : "";
    const std::string lower = lowered(name);
    for (const DeviceClass &item : classes_) {
        for (const std::string &pattern : item.names) {
            const auto digits = matchName(pattern, lower);
            if (!digits)
                continue;
            device.row.kind = item.kind;
            device.domain = item.domain;
            device.inside = item.inside;
            if (item.numberedGpu) {
                device.row.name = "GPU " + *digits;
                device.row.nativeId = *digits;
            }
            return device;
        }
    }
    return device;
}

LogDevice LogDevices::fromRow(const Binding &binding, std::span<const std::string_view> cells,
                              std::string_view id) const {
    LogDevice device;
    const bool byIndex = binding.index && id.data() == cells[*binding.index].data();
    const bool byName = binding.name && id.data() == cells[*binding.name].data();
    if (id.empty()) {
        device = fromName(descriptor_.device.fallback, descriptor_.device.kind);
        device.row.nativeId.clear();
    } else if (byIndex && !allDigits(id)) {
        device = fromName(id, descriptor_.device.kind);
    } else if (byName && !allDigits(id)) {
        device = fromName(id, kindOfHeader(binding.nameHeader, descriptor_.device.kind));
    } else {
        const bool numbered = byIndex || byName;
        device =
            fromName("GPU " + (numbered ? std::string(id) : std::to_string(devices_.size())), DeviceKind::Gpu);
        device.row.nativeId = validUtf8(id.substr(0, 200));
    }
    complete(device, binding, cells);
    return device;
}

void LogDevices::complete(LogDevice &device, const Binding &binding,
                          std::span<const std::string_view> cells) const {
    const auto take = [&](std::string &field, const std::optional<std::size_t> &cell) {
        if (cell && !isMissing(cells[*cell]))
            field = cellText(cell, cells);
    };
    take(device.row.uuid, binding.uuid);
    take(device.row.pci, binding.pci);
    take(device.row.model, binding.model);
    take(device.row.host, binding.host);
    if (!device.row.host.empty() && device.row.host != device.row.name)
        device.row.name = device.row.host + " " + device.row.name;
}

void LogDevices::forgetColumns() {
    for (LogDevice &device : devices_) {
        device.channels.clear();
        device.metadataSeen.clear();
    }
}

}  // namespace wattproof::importers
