// Counters: those of counter events, and the totals in memory dumps.
#pragma once

#include "importers/chrome/places.h"
#include "importers/chrome/scribe.h"

namespace wattproof::importers::chrome {

class CounterEvents {
public:
    CounterEvents(Scribe &scribe, Places &places) : scribe_(scribe), places_(places) {}

    // C: one series a member of args.
    void take(const Event &, Ns ts);
    // v, V: totals of the process, and of its allocators, in bytes.
    void memoryDump(const Event &, Ns ts);

private:
    void series(const Event &, Ns ts, const Member &);
    void totals(const Event &, Ns ts, const RawValue &object);
    void allocators(const Event &, Ns ts, const RawValue &object);
    void sample(const Event &, Ns ts, CounterId, double value);
    void bytes(const Event &, Ns ts, std::string_view name, const RawValue &hex);

    Scribe &scribe_;
    Places &places_;
    std::string scratch_;
};

}  // namespace wattproof::importers::chrome
