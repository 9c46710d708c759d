// The worker's side of the alignment pane: what is to be aligned, and how well an offset fits.
#pragma once

#include "analysis/alignment/align.h"
#include "store/reader.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::widgets {

// A power source and where it stands.
struct AlignableSource {
    SourceRow source;
    store::Alignment alignment;
    std::string name;  // file name
};

[[nodiscard]] Expected<std::vector<AlignableSource>> readAlignable(store::Reader &,
                                                                   const std::vector<store::Alignment> &);

// Load of the device and power of one source at the times that the log itself states.
struct AlignmentProbe {
    analysis::IntervalSet busy;
    std::optional<analysis::PowerSeries> power;  // none: nothing to score with

    // Correlation at an offset; none without both curves.
    [[nodiscard]] std::optional<double> score(Ns offset) const;
};

[[nodiscard]] Expected<std::shared_ptr<const AlignmentProbe>> readProbe(store::Reader &, const SourceRow &,
                                                                        const std::stop_token &);

}  // namespace wattproof::widgets
