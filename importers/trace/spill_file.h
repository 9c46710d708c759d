// A temporary file without a name: it is gone when the program is, however it ends.
#pragma once

#include "store/result.h"

#include <cstdint>
#include <span>

namespace wattproof::importers {

class SpillFile {
public:
    SpillFile() = default;
    ~SpillFile();
    SpillFile(const SpillFile &) = delete;
    SpillFile &operator=(const SpillFile &) = delete;

    [[nodiscard]] std::uint64_t size() const { return size_; }
    // At the end; makes the file in $TMPDIR, else /var/tmp (which, unlike /tmp, is not memory).
    [[nodiscard]] Status append(std::span<const std::byte> bytes);
    [[nodiscard]] Status read(std::uint64_t offset, std::span<std::byte> bytes) const;

private:
    [[nodiscard]] Status create();

    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace wattproof::importers
