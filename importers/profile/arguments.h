// Argument sets of importers that know their values by type: keys and values of one event as two JSON arrays.
#pragma once

#include "store/bulk_writer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wattproof::importers {

class ProfileArguments {
public:
    explicit ProfileArguments(store::BulkWriter &writer) : writer_(writer) {}

    void clear();
    // Text is mended to UTF-8 and cut at 4,096 bytes; a number that is not finite becomes null.
    void text(std::string_view key, std::string_view value);
    void integer(std::string_view key, std::int64_t value);
    void natural(std::string_view key, std::uint64_t value);
    void real(std::string_view key, double value);
    // Hands the set over and begins the next. None when nothing was added.
    [[nodiscard]] ArgSetId write();

private:
    void key(std::string_view);
    [[nodiscard]] std::int64_t shapeOf();

    store::BulkWriter &writer_;
    std::string keys_, values_;
    std::unordered_map<std::string, std::int64_t> shapes_;
};

}  // namespace wattproof::importers
