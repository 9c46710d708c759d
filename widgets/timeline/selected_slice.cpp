#include "widgets/timeline/selected_slice.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

SlicePlace placeOf(const SliceRow &row) {
    return {row.id, row.track, row.row, {row.ts, row.ts + row.dur}};
}

class LinkReader {
public:
    LinkReader(store::Reader &reader, SelectedSlice &selected, std::size_t limit)
        : reader_(reader), selected_(selected), limit_(limit) {}

    void addFrom(const std::vector<SliceId> &others, bool launch) {
        for (const SliceId other : others)
            add(other, launch, false);
    }
    void addTo(const std::vector<SliceId> &others, bool launch) {
        for (const SliceId other : others)
            add(other, launch, true);
    }

private:
    // A launch is often a flow too: one arrow is enough.
    [[nodiscard]] bool known(SliceId other) const {
        return std::any_of(selected_.links.begin(), selected_.links.end(),
                           [other](const SliceLink &l) { return l.from.slice == other || l.to.slice == other; });
    }

    void add(SliceId other, bool launch, bool away) {
        if (!other.valid() || known(other) || selected_.links.size() >= limit_)
            return;
        const auto details = reader_.slice(other);
        if (!details)
            return;
        const SlicePlace place = placeOf(details->slice);
        selected_.links.push_back(away ? SliceLink{selected_.place, place, launch}
                                       : SliceLink{place, selected_.place, launch});
    }

    store::Reader &reader_;
    SelectedSlice &selected_;
    std::size_t limit_;
};

}  // namespace

std::optional<SelectedSlice> readSelectedSlice(store::Reader &reader, SliceId slice, std::size_t limit) {
    const auto details = reader.slice(slice);
    if (!details)
        return std::nullopt;
    SelectedSlice selected{placeOf(details->slice), {}};
    LinkReader links(reader, selected, limit);
    if (details->gpuOp)
        links.addFrom({details->gpuOp->launch}, true);
    links.addTo(details->launched, true);
    links.addFrom(details->flowsIn, false);
    links.addTo(details->flowsOut, false);
    return selected;
}

}  // namespace wattproof::widgets
