// Warnings of one source, counted by kind; the first position and the first sentence are kept.
#pragma once

#include "store/rows.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

class WarningBook {
public:
    void add(std::string_view kind, std::string_view message, std::uint64_t byteOffset, std::int64_t count = 1);
    // What positions count: "byte" unless told.
    void positionsAre(std::string_view unit) { unit_ = unit; }
    [[nodiscard]] std::vector<WarningRow> rows(SourceId) const;

private:
    struct Entry {
        std::string kind, message;
        std::uint64_t firstOffset = 0;
        std::int64_t count = 0;
    };
    std::vector<Entry> entries_;
    std::string unit_ = "byte";
};

}  // namespace wattproof::importers
