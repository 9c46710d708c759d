// Events that belong to an id instead of a thread: asynchronous work, and the life of objects.
#pragma once

#include "importers/chrome/open_begins.h"
#include "importers/chrome/places.h"

#include <cstdint>
#include <unordered_set>

namespace wattproof::importers::chrome {

class AsyncEvents {
public:
    AsyncEvents(Scribe &scribe, Places &places, OpenBegins &begins)
        : scribe_(scribe), places_(places), begins_(begins) {}

    // b e n, S F T p
    void take(const Event &, Ns ts);
    // N O D: objects live on a track of their name; snapshots are instants there.
    void object(const Event &, Ns ts);

private:
    void begin(const Event &, RawEvent, AsyncKey);
    void end(const Event &, RawEvent, AsyncKey);
    void instant(const Event &, RawEvent, AsyncKey);

    Scribe &scribe_;
    Places &places_;
    OpenBegins &begins_;
    std::unordered_set<std::uint64_t> living_;  // objects whose making is in the file
};

}  // namespace wattproof::importers::chrome
