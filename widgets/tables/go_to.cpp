#include "widgets/tables/go_to.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

constexpr double kMargin = 2.0;  // on both sides, of what is shown because it was out of sight

void bringIntoSight(TimeView &view, TimeRange range, Approach approach) {
    const TimeRange visible = view.visible();
    if (visible.overlaps(range) || visible.contains(range.begin))
        return;
    if (approach == Approach::Jump)
        return view.fit({range.begin, std::max(range.end, range.begin + 1)}, kMargin);
    const Ns middle = range.begin + std::min(range.length(), visible.length()) / 2;
    view.panBy(middle - (visible.begin + visible.length() / 2));
}

}  // namespace

void goToSlice(Session &session, const QObject *receiver, const std::string &key, SliceId slice, Approach approach) {
    session.queries().ask(
        receiver, key, [slice](store::Reader &reader, std::stop_token) { return reader.slice(slice); },
        [&view = session.view(), approach](const Expected<store::SliceDetails> &details) {
            if (!details)
                return;
            Selection selection;
            selection.slice = details->slice.id;
            selection.range = {details->slice.ts, details->slice.ts + details->slice.dur};
            selection.tracks = {details->slice.track};
            view.select(selection);
            bringIntoSight(view, selection.range, approach);
        });
}

void goToRange(TimeView &view, TimeRange range, TrackId track) {
    if (range.empty()) {
        const Ns half = view.visible().length() / 2;
        if (!view.visible().contains(range.begin))
            view.setVisible({range.begin - half, range.begin + half});
        return view.setCursor(range.begin);
    }
    Selection selection;
    selection.range = range;
    if (track.valid())
        selection.tracks = {track};
    view.select(selection);
    bringIntoSight(view, range, Approach::Jump);
}

}  // namespace wattproof::widgets
