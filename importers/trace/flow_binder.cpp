#include "importers/trace/flow_binder.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr std::size_t kBatch = 4096;
// How many earlier slices are looked at when the latest to start and its ancestors have ended: lanes overlap.
constexpr std::size_t kLookBack = 64;

struct TrackRows {
    std::span<const SliceRow> rows;
    std::span<const std::int32_t> parents;
    std::span<const SliceOrigin> origins;

    [[nodiscard]] bool encloses(std::size_t i, Ns ts) const {
        return rows[i].kind == SliceKind::Slice && rows[i].ts <= ts && ts <= rows[i].ts + rows[i].dur;
    }

    [[nodiscard]] const SliceRow *enclosing(Ns ts) const {
        const auto after = std::upper_bound(rows.begin(), rows.end(), ts,
                                            [](Ns time, const SliceRow &row) { return time < row.ts; });
        auto i = static_cast<std::int32_t>(after - rows.begin()) - 1;
        const std::int32_t latest = i;
        for (; i >= 0; i = parents[static_cast<std::size_t>(i)])
            if (encloses(static_cast<std::size_t>(i), ts))
                return &rows[static_cast<std::size_t>(i)];
        for (i = latest; i >= 0 && latest - i < static_cast<std::int32_t>(kLookBack); --i)
            if (encloses(static_cast<std::size_t>(i), ts))
                return &rows[static_cast<std::size_t>(i)];
        return nullptr;
    }

    [[nodiscard]] const SliceRow *next(Ns ts) const {
        auto at = std::lower_bound(rows.begin(), rows.end(), ts,
                                   [](const SliceRow &row, Ns time) { return row.ts < time; });
        at = std::find_if(at, rows.end(), [](const SliceRow &row) { return row.kind == SliceKind::Slice; });
        return at == rows.end() ? nullptr : &*at;
    }

    [[nodiscard]] const SliceRow *own(Ns ts, std::uint64_t offset) const {
        const auto at = std::lower_bound(rows.begin(), rows.end(), ts,
                                         [](const SliceRow &row, Ns time) { return row.ts < time; });
        for (auto i = static_cast<std::size_t>(at - rows.begin()); i < rows.size() && rows[i].ts == ts; ++i)
            if (origins[i].offset == offset)
                return &rows[i];
        const SliceRow *ended = endingAt(static_cast<std::int32_t>(at - rows.begin()) - 1, ts);
        return ended ? ended : enclosing(ts);
    }

    // The innermost slice around row `i` that ends at `ts`.
    [[nodiscard]] const SliceRow *endingAt(std::int32_t i, Ns ts) const {
        for (; i >= 0; i = parents[static_cast<std::size_t>(i)])
            if (const SliceRow &row = rows[static_cast<std::size_t>(i)]; row.ts + row.dur == ts)
                return &row;
        return nullptr;
    }

    [[nodiscard]] const SliceRow *find(FlowBinding binding, Ns ts, std::uint64_t offset) const {
        switch (binding) {
            case FlowBinding::NextSlice:
                return next(ts);
            case FlowBinding::OwnEvent:
                return own(ts, offset);
            default:
                return enclosing(ts);
        }
    }
};

}  // namespace

struct FlowBinder::Chain {
    std::uint64_t key = 0;
    bool started = false;
    std::int64_t last = 0;      // slice of the latest start or step
    bool startIsAlone = false;  // no step or end has followed it
    std::uint64_t startOffset = 0;

    void closeStart(WarningBook &warnings) {
        if (startIsAlone)
            warnings.add("unmatched_flow", "Flow starts without an end and ends without a start make no arrow.",
                         startOffset);
        startIsAlone = false;
    }
};

void FlowBinder::push(const RawFlow &flow) {
    Waiting waiting;
    waiting.key = static_cast<std::uint32_t>(flow.track.value);
    waiting.name = static_cast<std::uint32_t>(flow.name.value);
    waiting.category = static_cast<std::uint32_t>(flow.category.value);
    waiting.ts = flow.ts;
    waiting.flow = flow.key;
    waiting.offset = flow.origin.offset;
    waiting.phase = flow.phase;
    waiting.binding = flow.binding;
    waiting.loneStartIsNormal = flow.loneStartIsNormal;
    waiting_.push(waiting);
}

void FlowBinder::keep(const Waiting &flow, std::int64_t slice) {
    bound_.push(
        {flow.flow, flow.ts, flow.offset, slice, flow.name, flow.category, flow.phase, flow.loneStartIsNormal});
}

void FlowBinder::bindTrack(TrackId track, std::span<const SliceRow> rows, std::span<const std::int32_t> parents,
                           const TimeCrowd &crowd, std::span<const SliceOrigin> origins) {
    const TrackRows here{rows, parents, origins};
    const auto own = static_cast<std::uint64_t>(track.value);
    for (const Waiting *flow = waiting_.peek(); flow && flow->key <= own; flow = waiting_.peek()) {
        const SliceRow *slice = nullptr;
        const Ns ts = flow->ts - crowd.begin();
        if (flow->key == own)
            slice = here.find(flow->binding, ts, flow->offset);
        keep(*flow, slice ? slice->id.value : 0);
        waiting_.pop();
    }
}

void FlowBinder::follow(const Bound &flow, Chain &chain, std::vector<FlowRow> &arrows,
                        WarningBook &warnings) const {
    const bool starts = flow.phase == FlowPhase::Start || (flow.phase == FlowPhase::Touch && !chain.started);
    if (starts) {
        chain.closeStart(warnings);
        chain.startIsAlone = !flow.loneStartIsNormal;
        chain.startOffset = flow.offset;
    } else if (!chain.started) {
        warnings.add("unmatched_flow", "Flow starts without an end and ends without a start make no arrow.",
                     flow.offset);
    } else {
        chain.startIsAlone = false;
        if (chain.last != 0 && flow.slice != 0)
            arrows.push_back(
                {{}, SliceId(chain.last), SliceId(flow.slice), StringId(flow.name), StringId(flow.category)});
        else
            warnings.add("unbound_flow", "Flows that begin or end where their thread has no slice make no arrow.",
                         flow.offset);
    }
    if (flow.phase == FlowPhase::Finish) {
        chain.started = false;
    } else if (flow.phase != FlowPhase::End) {
        chain.started = true;
        chain.last = flow.slice;
    }
}

Expected<std::int64_t> FlowBinder::write(store::BulkWriter &writer, WarningBook &warnings,
                                         const std::stop_token &stop) {
    for (const Waiting *flow = waiting_.peek(); flow; flow = waiting_.peek()) {
        keep(*flow, 0);
        waiting_.pop();
    }
    if (!waiting_.status())
        return tl::unexpected(waiting_.status().error());
    if (auto status = bound_.seal(stop); !status)
        return passOn(status);
    std::int64_t written = 0;
    std::vector<FlowRow> arrows;
    Chain chain;
    const auto flush = [&] {
        written += static_cast<std::int64_t>(arrows.size());
        auto status = writer.writeFlows(arrows);
        arrows.clear();
        return status;
    };
    for (const Bound *flow = bound_.peek(); flow; flow = bound_.peek()) {
        if (flow->key != chain.key) {
            chain.closeStart(warnings);
            chain = {};
            chain.key = flow->key;
        }
        follow(*flow, chain, arrows, warnings);
        bound_.pop();
        if (arrows.size() >= kBatch)
            if (auto status = flush(); !status)
                return passOn(status);
    }
    chain.closeStart(warnings);
    if (auto status = flush(); !status)
        return passOn(status);
    if (!bound_.status())
        return tl::unexpected(bound_.status().error());
    return written;
}

}  // namespace wattproof::importers
