// Argument sets that wait in a temporary file until it is known whether the event they belong to is kept: they are
// met long before that, and would else be most of what an import of a part writes.
#pragma once

#include "importers/trace/spill_file.h"
#include "store/bulk_writer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

class LateArguments {
public:
    // Ids of its own: 1, 2, 3 … A failure is remembered and comes back from give().
    [[nodiscard]] ArgSetId add(std::int64_t shape, std::string_view values);
    // Writes the set that waits under this id, and says under which id it is now; none for none.
    [[nodiscard]] Expected<ArgSetId> give(ArgSetId waiting, store::BulkWriter &);

private:
    struct Place {
        std::int64_t shape = 0;
        std::uint64_t offset = 0, length = 0;
    };

    [[nodiscard]] Status flush();
    [[nodiscard]] Expected<Place> placeOf(std::uint64_t index);

    SpillFile texts_, places_;
    std::string newTexts_;
    std::vector<Place> newPlaces_;
    std::vector<Place> block_;  // of places that were read last
    std::uint64_t blockFirst_ = 0;
    std::uint64_t textBytes_ = 0, count_ = 0;
    std::string buffer_;
    Status status_;
};

}  // namespace wattproof::importers
