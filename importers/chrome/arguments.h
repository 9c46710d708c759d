// Argument sets: the members of an event's args as one shape of keys and one list of values, straight from the
// buffer.
#pragma once

#include "importers/chrome/event.h"
#include "store/bulk_writer.h"

#include <string>
#include <unordered_map>

namespace wattproof::importers::chrome {

class Arguments {
public:
    explicit Arguments(store::BulkWriter &writer) : writer_(writer) {}

    // None where the event has no arguments.
    [[nodiscard]] ArgSetId add(const Event &);

private:
    [[nodiscard]] std::int64_t shapeOf();

    store::BulkWriter &writer_;
    std::string keys_, values_;
    std::unordered_map<std::string, std::int64_t> shapes_;
};

}  // namespace wattproof::importers::chrome
