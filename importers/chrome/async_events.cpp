#include "importers/chrome/async_events.h"

#include "importers/chrome/event_keys.h"

namespace wattproof::importers::chrome {
namespace {

constexpr std::size_t kMostObjects = std::size_t{1} << 20U;  // that live at one time; further ones are instants

}  // namespace

void AsyncEvents::begin(const Event &event, RawEvent own, AsyncKey key) {
    begins_.begin(key.hash, own, key, event);
}

void AsyncEvents::end(const Event &event, RawEvent own, AsyncKey key) {
    own.args = begins_.end(key.hash, {}, event);
    scribe_.builder().asyncEnd(own, key);
}

void AsyncEvents::instant(const Event &event, RawEvent own, AsyncKey key) {
    own.args = scribe_.arguments().add(event);
    scribe_.builder().asyncInstant(own, key);
}

void AsyncEvents::take(const Event &event, Ns ts) {
    RawEvent own = scribe_.bare(event, ts);
    own.track = places_.asyncTrack(places_.process(event), own.category, own.name, scribe_.nameText(event));
    const AsyncKey key{idKey(event)};
    if (event.phase == 'b' || event.phase == 'S')
        begin(event, own, key);
    else if (event.phase == 'e' || event.phase == 'F')
        end(event, own, key);
    else
        instant(event, own, key);
}

void AsyncEvents::object(const Event &event, Ns ts) {
    RawEvent own = scribe_.bare(event, ts);
    own.track = places_.objectTrack(places_.process(event), own.name, scribe_.nameText(event));
    const AsyncKey key{objectKey(event)};
    const bool made = event.phase == 'N' && living_.size() < kMostObjects && living_.insert(key.hash).second;
    if (made)
        begin(event, own, key);
    else if (event.phase == 'D' && living_.erase(key.hash) > 0)
        end(event, own, key);
    else  // a snapshot, or the end of an object that was there before the trace began
        instant(event, own, key);
}

}  // namespace wattproof::importers::chrome
