// The devices a log speaks of, found by the identity cells of its rows.
#pragma once

#include "importers/power/binding.h"
#include "importers/power/log_clock.h"
#include "store/rows.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wattproof::importers {

struct LogDevice {
    std::string model;  // the row's, else what another source says of this device: tells the sensor
    DeviceRow row;                         // source, id and parent are filled in when it is written
    std::string domain;                    // of its channels, where the column names none
    std::string inside;                    // domain that contains this one; empty: none
    std::vector<std::ptrdiff_t> channels;  // by bound column; -1: none yet
    std::vector<bool> metadataSeen;        // by bound column
    StepGuard::Track track;
    bool lost = false, written = false;
    double maskBits = 0;  // flags of single reasons in the current row
    bool maskSeen = false;
};

class LogDevices {
public:
    static constexpr std::size_t kMax = 4096;  // a column that is no device must not become one

    LogDevices(const Descriptor &, const std::vector<DeviceClass> &);

    // Index of the row's device; none when there are too many.
    [[nodiscard]] std::optional<std::size_t> ofRow(const Binding &, std::span<const std::string_view> cells);
    // The device of a column that names its own ("GPU0", or a rule's fixed device), beside the row's.
    [[nodiscard]] std::optional<std::size_t> named(const std::string &name);

    [[nodiscard]] std::vector<LogDevice> &all() { return devices_; }
    void forgetColumns();  // after a new header

private:
    [[nodiscard]] bool isMissing(std::string_view cell) const;
    [[nodiscard]] std::string_view identity(const Binding &, std::span<const std::string_view> cells) const;
    [[nodiscard]] std::size_t add(const std::string &key, LogDevice device);
    [[nodiscard]] LogDevice fromRow(const Binding &, std::span<const std::string_view> cells,
                                    std::string_view id) const;
    [[nodiscard]] LogDevice fromName(std::string_view name, DeviceKind kind) const;
    void complete(LogDevice &, const Binding &, std::span<const std::string_view> cells) const;

    const Descriptor &descriptor_;
    const std::vector<DeviceClass> &classes_;
    std::vector<LogDevice> devices_;
    std::unordered_map<std::string, std::size_t> byKey_;
    std::string key_;
    std::vector<std::string> keys_;
    std::size_t last_ = 0;
};

// Whether a cell's text is one of the descriptor's words for "no value" (or empty).
[[nodiscard]] bool meansMissing(const Descriptor &, std::string_view cell);

}  // namespace wattproof::importers
