// Begins that wait for their end, so that the arguments of both become one set. They reach the builder when they
// are ended, when too many wait, or at last; the builder pairs them again, by time.
#pragma once

#include "importers/chrome/scribe.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::chrome {

class OpenBegins {
public:
    explicit OpenBegins(Scribe &scribe) : scribe_(scribe) {}

    // Scope: what a begin shares with its end, a track or an asynchronous key.
    void begin(std::uint64_t scope, const RawEvent &, std::optional<AsyncKey>, const Event &);
    // The nearest begin of the end's name (of any, where it has none) takes the end's arguments. Gives the set
    // that remains for the end: none when they were joined.
    [[nodiscard]] ArgSetId end(std::uint64_t scope, StringId name, const Event &);
    void flush();

private:
    struct Waiting {
        RawEvent event;
        std::optional<AsyncKey> key;
        ArgumentText text;
        std::size_t bytes = 0;
    };
    using Stack = std::vector<Waiting>;

    void release(Stack &, std::size_t from);

    Scribe &scribe_;
    std::unordered_map<std::uint64_t, Stack> stacks_;
    std::size_t bytes_ = 0;
};

}  // namespace wattproof::importers::chrome
