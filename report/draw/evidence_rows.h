// What an evidence picture shows, read from the store: nothing here knows of pixels but the resolution.
#pragma once

#include "report/draw/labels.h"
#include "store/reader.h"

#include <string>
#include <vector>

namespace wattproof::draw {

struct EvidenceLane {
    std::string name;
    int rowCount = 1;  // rows that are shown
    std::vector<store::LaneSpan> spans;
};

struct EvidenceCurve {
    std::string name;
    CounterRow counter;
    std::vector<store::CounterBucket> buckets;
};

struct EvidenceRows {
    std::vector<EvidenceLane> lanes;
    std::vector<EvidenceCurve> curves;
};

// The tracks that a finding names ("stream 7", "GPU 0", "GPU 0/stream 7"); where it names none that exist, the
// busiest accelerator streams. The host thread with the most slices comes along, and the power of the
// accelerators.
[[nodiscard]] EvidenceRows readEvidence(store::Reader &, TimeRange, const std::vector<std::string> &tracks,
                                        Ns bucket, NameLooks &);

}  // namespace wattproof::draw
