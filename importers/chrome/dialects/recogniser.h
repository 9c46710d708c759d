// Who wrote the trace at hand, by the clues met so far.
#pragma once

#include "importers/chrome/dialects/dialect.h"

#include <array>
#include <vector>

namespace wattproof::importers::chrome {

class Recogniser {
public:
    Recogniser();

    void note(ClueKind, std::string_view text, std::string_view key = {});
    // For texts of events, which repeat: looks only at those that were not met before.
    void noteOnce(ClueKind, StringId, std::string_view text);

    // Never null. May be another one after the next clue.
    [[nodiscard]] const Dialect &current() const { return *current_; }

private:
    std::vector<std::unique_ptr<Dialect>> dialects_;
    const Dialect *current_ = nullptr;
    std::array<std::vector<bool>, 2> met_;  // categories and names
    std::size_t names_ = 0;
};

}  // namespace wattproof::importers::chrome
