// What the alignment window shows of one power log: the device's load as the sensor would see it, the power, and
// how well every offset fits.
#pragma once

#include "widgets/panes/alignment_probe.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace wattproof::widgets {

struct AlignmentFit {
    std::shared_ptr<const AlignmentProbe> probe;
    std::vector<Sample> load;   // busy share through the sensor's window, at the trace's times
    std::vector<Sample> power;  // watts at the times that the log states
    Ns period = 0;              // of the sensor
    analysis::AlignmentProposal proposal;
};

[[nodiscard]] Expected<std::shared_ptr<const AlignmentFit>> readFit(store::Reader &, const SourceRow &,
                                                                    const std::stop_token &);

}  // namespace wattproof::widgets
