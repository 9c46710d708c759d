// What to draw of tracks and counters, kept for about three times the visible span at a power-of-two resolution.
// While new data is on its way the last picture is drawn at the new scale: nothing is ever blank because something
// is loading.
#pragma once

#include "report/draw/labels.h"
#include "report/draw/time_scale.h"
#include "store/reader.h"
#include "widgets/session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <QObject>

namespace wattproof::widgets {

template <class Item>
struct Picture {
    TimeRange range;  // what the items cover
    Ns bucket = 0;    // 0: never loaded
    std::vector<Item> items;
    TimeRange asked;  // what is on its way
    Ns askedBucket = 0;
    bool stale = false;  // the workspace changed since
    std::uint64_t lastWanted = 0;
    std::uint64_t arrivals = 0;  // answers taken so far

    // True when the items, or those on their way, answer for this view.
    [[nodiscard]] bool answers(TimeRange visible, Ns wantedBucket) const {
        return !stale && bucket == wantedBucket && covers(range, visible);
    }
    [[nodiscard]] bool awaits(TimeRange visible, Ns wantedBucket) const {
        return askedBucket == wantedBucket && covers(asked, visible);
    }

private:
    static bool covers(TimeRange outer, TimeRange inner) {
        return outer.begin <= inner.begin && inner.end <= outer.end;
    }
};

using LanePicture = Picture<store::LaneSpan>;
using CounterPicture = Picture<store::CounterBucket>;

class PictureCache : public QObject {
    Q_OBJECT

public:
    // `name` makes the request keys of this cache its own.
    PictureCache(Session *, std::string name, QObject *parent);
    ~PictureCache() override;

    // The last picture (may be empty), after asking for a better one if this view needs it.
    const LanePicture &lanes(TrackId, TimeRange visible, double pixels);
    const CounterPicture &counter(CounterId, TimeRange visible, double pixels);
    [[nodiscard]] const LanePicture *cachedLanes(TrackId) const;
    [[nodiscard]] const CounterPicture *cachedCounter(CounterId) const;

    [[nodiscard]] draw::NameLooks &looks() { return looks_; }

signals:
    void arrived();

private:
    struct KnownNames;
    struct LaneAnswer;

    void askLanes(TrackId, TimeRange, Ns bucket);
    void askCounter(CounterId, TimeRange, Ns bucket);
    void takeLanes(TrackId, LaneAnswer);
    void markStale();
    [[nodiscard]] TimeRange bounded(TimeRange) const;

    Session *session_;
    std::string name_;
    std::unordered_map<TrackId, LanePicture> lanes_;
    std::unordered_map<CounterId, CounterPicture> counters_;
    std::shared_ptr<KnownNames> known_;
    draw::NameLooks looks_;
    std::uint64_t clock_ = 0;
};

}  // namespace wattproof::widgets
