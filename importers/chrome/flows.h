// Flow events: where each starts, passes and ends. Those of threads that turn out to hold device work wait until
// that is known.
#pragma once

#include "importers/chrome/places.h"
#include "importers/chrome/scribe.h"

#include <vector>

namespace wattproof::importers::chrome {

class Flows {
public:
    Flows(Scribe &scribe, Places &places) : scribe_(scribe), places_(places) {}

    void take(const Event &, Ns ts);
    // The newer form: slices that say themselves that a flow leaves or enters them.
    void bind(const Event &, const RawEvent &slice);
    // After the last event.
    void finish();

private:
    struct Pending {
        RawFlow flow;
        Thread *thread;
    };

    Scribe &scribe_;
    Places &places_;
    std::vector<Pending> pending_;
};

}  // namespace wattproof::importers::chrome
