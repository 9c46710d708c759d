#include "importers/part/part_writer.h"

#include <algorithm>

namespace wattproof::importers {

Expected<SourceId> PartWriter::addSource(const SourceRow &row) {
    auto id = ForwardingWriter::addSource(row);
    if (id)
        source_ = *id;
    path_ = row.path;
    return id;
}

StringId PartWriter::intern(std::string_view text) {
    const StringId id = ForwardingWriter::intern(text);
    if (!part_.categories.empty() && part_.names(text))
        wanted_.insert(id);
    return id;
}

bool PartWriter::keeps(const SliceRow &slice) {
    const bool category = part_.categories.empty() || wanted_.count(slice.category) > 0;
    const bool range = part_.reaches(slice.ts, slice.dur);
    otherCategory_ += category ? 0 : 1;
    outsideRange_ += category && !range ? 1 : 0;
    return category && range;
}

// The rows that are kept, each below the nearest of those around it that are.
void PartWriter::collect(std::span<const SliceRow> slices, std::span<const std::int32_t> parents) {
    keep_.assign(slices.size(), false);
    nearest_.assign(slices.size(), -1);
    rows_.clear();
    parents_.clear();
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const std::int32_t around = parents[i] < 0 ? -1 : nearest_[static_cast<std::size_t>(parents[i])];
        length_ = std::max(length_, slices[i].ts + slices[i].dur);
        keep_[i] = keeps(slices[i]);
        nearest_[i] = keep_[i] ? static_cast<std::int32_t>(rows_.size()) : around;
        if (!keep_[i])
            continue;
        rows_.push_back(slices[i]);
        parents_.push_back(around);
        (slices[i].kind == SliceKind::Instant ? kept_.instants : kept_.slices) += 1;
    }
}

// Depths, lanes and drawing rows close up where something was left out. A slice and what is around it share a
// lane.
void PartWriter::layOut() {
    std::vector<std::int32_t> depths;  // of each old lane, 0: nothing of it is kept
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        SliceRow &row = rows_[i];
        row.depth = parents_[i] < 0 ? 0 : rows_[static_cast<std::size_t>(parents_[i])].depth + 1;
        const auto lane = static_cast<std::size_t>(row.lane);
        depths.resize(std::max(depths.size(), lane + 1));
        depths[lane] = std::max(depths[lane], row.depth + 1);
    }
    std::vector<std::int32_t> lanes(depths.size()), firstRows(depths.size());
    std::int32_t lane = 0, next = 0;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        lanes[i] = lane;
        firstRows[i] = next;
        lane += depths[i] > 0 ? 1 : 0;
        next += depths[i];
    }
    for (SliceRow &row : rows_) {
        row.row = firstRows[static_cast<std::size_t>(row.lane)] + row.depth;
        row.lane = lanes[static_cast<std::size_t>(row.lane)];
    }
}

Status PartWriter::writeTrackSlices(TrackId track, std::span<SliceRow> slices,
                                    std::span<const std::int32_t> parents) {
    collect(slices, parents);
    layOut();
    for (SliceRow &row : rows_) {
        auto arguments = arguments_.give(row.args, target());
        if (!arguments)
            return passOn(arguments);
        row.args = *arguments;
    }
    if (Status status = ForwardingWriter::writeTrackSlices(track, rows_, parents_); !status)
        return status;
    SliceId id = ids_.begin(rows_.empty() ? SliceId() : rows_.front().id);
    for (std::size_t i = 0; i < slices.size(); ++i) {
        slices[i].id = id;
        slices[i].track = track;
        ids_.add(keep_[i]);
        ++id.value;
    }
    return {};
}

Status PartWriter::writeGpuOps(std::span<const GpuOpRow> rows) {
    std::vector<GpuOpRow> kept;
    for (GpuOpRow row : rows) {
        row.slice = ids_.find(row.slice);
        if (!row.slice.valid())
            continue;
        const bool launched = row.launch.valid();
        row.launch = ids_.find(row.launch);
        lostLaunches_ += launched && !row.launch.valid() ? 1 : 0;
        kept_.links += row.launch.valid() ? 1 : 0;
        kept.push_back(row);
    }
    kept_.operations += static_cast<std::int64_t>(kept.size());
    return ForwardingWriter::writeGpuOps(kept);
}

Status PartWriter::writeFlows(std::span<const FlowRow> rows) {
    std::vector<FlowRow> kept;
    for (FlowRow row : rows) {
        row.from = ids_.find(row.from);
        row.to = ids_.find(row.to);
        if (row.from.valid() && row.to.valid())
            kept.push_back(row);
        else
            brokenFlows_ += row.from.valid() || row.to.valid() ? 1 : 0;
    }
    kept_.flows += static_cast<std::int64_t>(kept.size());
    return ForwardingWriter::writeFlows(kept);
}

Status PartWriter::writeSamples(CounterId counter, std::span<const Sample> samples) {
    std::vector<Sample> kept;
    for (const Sample &sample : samples) {
        length_ = std::max(length_, sample.ts);
        if (part_.reaches(sample.ts, 0))
            kept.push_back(sample);
    }
    outsideRange_ += static_cast<std::int64_t>(samples.size() - kept.size());
    kept_.samples += static_cast<std::int64_t>(kept.size());
    kept_.counters += kept.empty() ? 0 : 1;
    return ForwardingWriter::writeSamples(counter, kept);
}

Status PartWriter::writeThreadStates(std::span<const ThreadStateRow> rows) {
    std::vector<ThreadStateRow> kept;
    for (const ThreadStateRow &row : rows) {
        length_ = std::max(length_, row.ts + row.dur);
        if (part_.reaches(row.ts, row.dur))
            kept.push_back(row);
    }
    outsideRange_ += static_cast<std::int64_t>(rows.size() - kept.size());
    kept_.states += static_cast<std::int64_t>(kept.size());
    return ForwardingWriter::writeThreadStates(kept);
}

std::vector<WarningRow> PartWriter::warnings() const {
    std::vector<WarningRow> rows;
    const auto add = [&](const char *kind, std::int64_t count, const std::string &message) {
        if (count > 0)
            rows.push_back({source_, kind, count, {}, message});
    };
    if (part_.range)
        add("left_out_range", outsideRange_,
            "Events outside " + wordsOf(*part_.range) +
                " of the trace were left out, as the import was asked to; what reaches into that time is kept "
                "whole.");
    add("left_out_category", otherCategory_,
        "Events of other categories than " + textOf(part_.categories) +
            " were left out, as the import was asked to.");
    add("left_out_flow", brokenFlows_, "Arrows to or from an event that was left out make no arrow.");
    add("left_out_launch", lostLaunches_, "GPU operations whose launching call was left out are kept without it.");
    return rows;
}

Status PartWriter::finishSource(SourceId id) {
    const bool empty = kept_.slices + kept_.instants + kept_.samples + kept_.states == 0;
    if (empty && outsideRange_ + otherCategory_ > 0)
        return failure(
            "nothing of the trace is in the part that was asked for", path_,
            "ask for another time or other categories: the trace is " + wordsOf({0, length_}) + " long");
    for (const WarningRow &row : warnings())
        addWarning(row);
    return ForwardingWriter::finishSource(id);
}

void PartWriter::account(Summary &summary) const {
    summary.slices = kept_.slices;
    summary.instants = kept_.instants;
    summary.counters = kept_.counters;
    summary.samples = kept_.samples;
    summary.flows = kept_.flows;
    summary.gpuOps = kept_.operations;
    summary.links = kept_.links;
    const std::vector<WarningRow> rows = warnings();
    summary.warnings.insert(summary.warnings.end(), rows.begin(), rows.end());
}

}  // namespace wattproof::importers
