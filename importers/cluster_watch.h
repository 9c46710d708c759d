// Watches the times of a trace as they are written, to tell where its main part is: store/main_cluster.h has the rule.
#pragma once

#include "store/main_cluster.h"

#include <optional>
#include <span>

namespace wattproof::importers {

class ClusterWatch {
public:
    void note(std::span<const SliceRow>);  // of one track
    void note(std::span<const Sample>);    // of one counter

    // The main cluster of what was noted, where something lies beyond it; what comes next is another trace.
    [[nodiscard]] std::optional<store::MainCluster> finish();

private:
    store::StretchCollector stretches_;
};

// "3 events lie outside the main 1.2 s of the trace (up to 1 h 2 min away): ..."
[[nodiscard]] WarningRow warningOf(const store::MainCluster &, SourceId);

}  // namespace wattproof::importers
