// Argument sets: the members of an event's args as one shape of keys and one list of values, straight from the
// buffer.
#pragma once

#include "importers/chrome/event.h"
#include "store/bulk_writer.h"

#include <string>
#include <unordered_map>

namespace wattproof::importers::chrome {

// The members of one set, as JSON lists that are still open.
struct ArgumentText {
    std::string keys, values;
    [[nodiscard]] bool empty() const { return keys.size() < 2; }
};

class Arguments {
public:
    explicit Arguments(store::BulkWriter &writer) : writer_(writer) {}

    // None where the event has no arguments.
    [[nodiscard]] ArgSetId add(const Event &);
    [[nodiscard]] ArgSetId add(ArgumentText &);
    static void collect(const Event &, ArgumentText &);
    // Those of an end beside those of its begin; where both have one of a name, the end's is called "end.<name>".
    static void join(ArgumentText &begin, const Event &end);

private:
    [[nodiscard]] std::int64_t shapeOf(const std::string &keys);

    store::BulkWriter &writer_;
    ArgumentText text_;
    std::unordered_map<std::string, std::int64_t> shapes_;
};

}  // namespace wattproof::importers::chrome
