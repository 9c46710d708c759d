// When two sources speak of one accelerator: a trace by its ordinal, a log by index, UUID or PCI address.
#pragma once

#include "store/rows.h"

#include <optional>
#include <string>
#include <vector>

namespace wattproof::importers {

struct KnownDevice {
    DeviceRow row;
    SourceKind sourceKind = SourceKind::Trace;
    std::string sourcePath;
};

struct DeviceMatch {
    std::size_t index = 0;  // into the known devices
    std::string reason;     // "same UUID", "same index"
    double confidence = 0;  // probability that it is the same device
};

// The known device that `row` of a source of `kind` is; none when nothing speaks for it or something against it.
// UUID and PCI address decide where both have them. An index is trusted only between a trace and a log, and never
// against the model: two traces may each call their own GPU 0.
[[nodiscard]] std::optional<DeviceMatch> matchDevice(const DeviceRow &row, SourceKind kind,
                                                     const std::vector<KnownDevice> &known);

}  // namespace wattproof::importers
