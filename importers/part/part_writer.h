// Keeps only a part of a trace: a range of time, some categories. It stands between any trace importer and the
// store, where all events are in order and the trace's beginning is known, whatever the order of the file; so that
// every format is cut in the same way, and an import of a part needs no more memory than one of the whole.
#pragma once

#include "importers/forwarding_writer.h"
#include "importers/importer.h"
#include "importers/part/kept_ids.h"
#include "importers/part/late_arguments.h"

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace wattproof::importers {

// For one source. Slices that reach into the range are kept whole, with those around them that are kept; counters
// and thread states have no category and are cut by time alone. What is left out is counted and becomes warnings.
class PartWriter final : public ForwardingWriter {
public:
    PartWriter(store::BulkWriter &target, Selection part) : ForwardingWriter(target), part_(std::move(part)) {}

    // Makes the summary speak of what was kept; after the import.
    void account(Summary &) const;

    Expected<SourceId> addSource(const SourceRow &) override;
    StringId intern(std::string_view text) override;
    ArgSetId addArgs(std::int64_t shape, std::string_view values) override {
        return arguments_.add(shape, values);
    }
    Status writeTrackSlices(TrackId, std::span<SliceRow>, std::span<const std::int32_t> parents) override;
    Status writeGpuOps(std::span<const GpuOpRow>) override;
    Status writeFlows(std::span<const FlowRow>) override;
    Status writeSamples(CounterId, std::span<const Sample>) override;
    Status writeThreadStates(std::span<const ThreadStateRow>) override;
    // An error where nothing of the trace is in the part.
    Status finishSource(SourceId) override;

private:
    struct Counts {
        std::int64_t slices = 0, instants = 0, counters = 0, samples = 0, states = 0, flows = 0, operations = 0,
                     links = 0;
    };

    [[nodiscard]] bool keeps(const SliceRow &);
    void collect(std::span<const SliceRow>, std::span<const std::int32_t> parents);
    void layOut();
    [[nodiscard]] std::vector<WarningRow> warnings() const;

    Selection part_;
    std::string path_;
    SourceId source_;
    std::unordered_set<StringId> wanted_;  // categories
    LateArguments arguments_;
    KeptIds ids_;
    Counts kept_;
    std::int64_t outsideRange_ = 0, otherCategory_ = 0, brokenFlows_ = 0, lostLaunches_ = 0;
    Ns length_ = 0;  // of the whole trace, as far as it was seen
    // Of the track at hand.
    std::vector<bool> keep_;
    std::vector<SliceRow> rows_;
    std::vector<std::int32_t> parents_, nearest_;
};

}  // namespace wattproof::importers
