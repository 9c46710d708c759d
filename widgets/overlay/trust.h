// Stretches of a channel that its own readings cast doubt on: they are hatched, not drawn as a curve.
#pragma once

#include "store/reader.h"

#include <functional>
#include <string>
#include <vector>

namespace wattproof::widgets {

enum class Doubt {
    Frozen,       // equal readings while the device's other sensors move
    Zero,         // nothing but 0 W
    Implausible,  // outside of what the quantity can be
    Bridged       // values are missing here, too few to make a gap
};

struct DoubtSpan {
    TimeRange range;
    Doubt doubt = Doubt::Frozen;
    double low = 0, high = 0;  // of the readings, in the channel's unit
    std::int64_t readings = 0;
};

// Whether another sensor of the device moved in a range; `coarse`: the judged sensor shows whole units only, so
// that equal readings prove little and the load itself has to move.
using Witness = std::function<bool(TimeRange, bool coarse)>;

// By time. `period`: median distance of the samples.
[[nodiscard]] std::vector<DoubtSpan> doubtsOf(const CounterRow &, const std::vector<store::CounterBucket> &,
                                              Ns period, const Witness &);

// "frozen": the word in a hatched stretch.
[[nodiscard]] std::string doubtWord(Doubt);
// What is doubted and why, with the name of the warning.
[[nodiscard]] std::string doubtSentence(const DoubtSpan &, const std::string &unit);

}  // namespace wattproof::widgets
