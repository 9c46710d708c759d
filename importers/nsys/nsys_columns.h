// Columns of the cuda_gpu_trace report and what one row says.
#pragma once

#include "store/result.h"
#include "store/rows.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

struct NsysOperation {
    Ns start = 0, duration = 0;
    std::int64_t correlation = 0;
    GpuActivity activity = GpuActivity::Kernel;
    CopyKind copyKind = CopyKind::None;
    std::optional<std::array<std::int64_t, 3>> grid, block;
    std::optional<std::int64_t> bytes;
    std::string_view device, context, stream, name;
};

// What the text "NVIDIA RTX A4500 (0)" says.
struct NsysDevice {
    std::string model, ordinal;
};
[[nodiscard]] NsysDevice splitDevice(std::string_view text);

class NsysColumns {
public:
    // None when the cells are no header of this report.
    [[nodiscard]] static std::optional<NsysColumns> fromHeader(const std::vector<std::string_view> &cells);

    [[nodiscard]] std::size_t size() const { return count_; }
    // None when start, duration, device or name is missing or broken.
    [[nodiscard]] std::optional<NsysOperation> read(std::span<const std::string_view> cells) const;

    // Arguments that have no place of their own, as two JSON arrays of one length; empty cells are left out.
    struct Arguments {
        std::string keys, values;
    };
    void arguments(std::span<const std::string_view> cells, Arguments &out) const;

private:
    struct Argument {
        std::size_t cell = 0;
        std::string key;
    };
    [[nodiscard]] std::optional<std::array<std::int64_t, 3>> triple(
        std::span<const std::string_view> cells, const std::array<std::ptrdiff_t, 3> &columns) const;

    std::size_t count_ = 0;
    std::size_t start_ = 0, duration_ = 0, device_ = 0, name_ = 0;
    std::ptrdiff_t correlation_ = -1, bytes_ = -1, source_ = -1, destination_ = -1, context_ = -1, stream_ = -1;
    std::array<std::ptrdiff_t, 3> grid_{-1, -1, -1}, block_{-1, -1, -1};
    int startDigits_ = 0, durationDigits_ = 0, byteDigits_ = 0;
    std::vector<Argument> arguments_;
};

}  // namespace wattproof::importers
