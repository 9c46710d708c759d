// What in the requests of a log speaks against itself: counted as warnings, and left as it is.
#pragma once

#include "importers/power/tally.h"
#include "store/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace wattproof::importers::requests {

struct StatedRequest;

class RequestChecks {
public:
    explicit RequestChecks(Tally &tally) : tally_(tally) {}

    void take(const StatedRequest &);
    // A length that is stated beside start and end.
    void compare(Ns stated, Ns startToEnd, std::uint64_t line);
    // After the last request.
    void finish();

private:
    void noteId(const StatedRequest &);
    void noteLength(const StatedRequest &);
    void finishIds();
    void finishLengths();

    Tally &tally_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ids_;  // hash and line
    std::array<std::int64_t, 65> byMagnitude_{};                // lengths, by the bits of their nanoseconds
    std::int64_t timed_ = 0;
    std::optional<Ns> firstStart_, lastStart_;
};

}  // namespace wattproof::importers::requests
