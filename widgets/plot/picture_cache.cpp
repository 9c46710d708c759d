#include "widgets/plot/picture_cache.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <utility>

namespace wattproof::widgets {
namespace {

constexpr std::size_t kMostPictures = 400;

// Forgets the pictures nobody has looked at for the longest time.
template <class Map>
void evict(Map &pictures) {
    if (pictures.size() <= kMostPictures)
        return;
    std::vector<std::uint64_t> ages;
    for (const auto &[id, picture] : pictures)
        ages.push_back(picture.lastWanted);
    const auto middle = ages.begin() + static_cast<std::ptrdiff_t>(ages.size() / 2);
    std::nth_element(ages.begin(), middle, ages.end());
    const std::uint64_t limit = *middle;
    std::erase_if(pictures, [limit](const auto &entry) { return entry.second.lastWanted < limit; });
}

}  // namespace

// Names that have reached the interface; read by the pool's threads to fetch only new ones.
struct PictureCache::KnownNames {
    std::mutex mutex;
    std::unordered_set<StringId> ids;

    std::vector<StringId> missingOf(const std::vector<store::LaneSpan> &spans) {
        const std::scoped_lock lock(mutex);
        std::unordered_set<StringId> missing;
        for (const store::LaneSpan &span : spans)
            if (!ids.contains(span.name))
                missing.insert(span.name);
        return {missing.begin(), missing.end()};
    }
};

struct PictureCache::LaneAnswer {
    TimeRange range;
    Ns bucket = 0;
    bool whole = false;  // false: failed or cancelled, keep the old picture
    std::vector<store::LaneSpan> spans;
    std::vector<StringId> names;
    std::vector<std::string> texts;
};

PictureCache::PictureCache(Session *session, std::string name, QObject *parent)
    : QObject(parent), session_(session), name_(std::move(name)), known_(std::make_shared<KnownNames>()) {
    connect(session, &Session::dataChanged, this, &PictureCache::markStale);
}

PictureCache::~PictureCache() = default;

void PictureCache::markStale() {
    const auto forget = [](auto &pictures) {
        for (auto &[id, picture] : pictures) {
            picture.stale = true;
            picture.askedBucket = 0;
        }
    };
    forget(lanes_);
    forget(counters_);
    emit arrived();
}

TimeRange PictureCache::bounded(TimeRange range) const {
    const TimeRange extent = session_->view().extent();
    return {std::max(range.begin, extent.begin - 1), std::min(range.end, extent.end + 1)};
}

const LanePicture &PictureCache::lanes(TrackId track, TimeRange visible, double pixels) {
    evict(lanes_);
    LanePicture &picture = lanes_[track];
    picture.lastWanted = ++clock_;
    const Ns bucket = draw::bucketFor(visible, pixels);
    const TimeRange needed = bounded(visible);
    if (!needed.empty() && !picture.answers(needed, bucket) && !picture.awaits(needed, bucket)) {
        picture.asked = bounded(draw::rangeToCache(visible, bucket));
        picture.askedBucket = bucket;
        askLanes(track, picture.asked, bucket);
    }
    return picture;
}

const CounterPicture &PictureCache::counter(CounterId counter, TimeRange visible, double pixels) {
    evict(counters_);
    CounterPicture &picture = counters_[counter];
    picture.lastWanted = ++clock_;
    const Ns bucket = draw::bucketFor(visible, pixels);
    const TimeRange needed = bounded(visible);
    if (!needed.empty() && !picture.answers(needed, bucket) && !picture.awaits(needed, bucket)) {
        picture.asked = bounded(draw::rangeToCache(visible, bucket));
        picture.askedBucket = bucket;
        askCounter(counter, picture.asked, bucket);
    }
    return picture;
}

const LanePicture *PictureCache::cachedLanes(TrackId track) const {
    const auto found = lanes_.find(track);
    return found == lanes_.end() ? nullptr : &found->second;
}

const CounterPicture *PictureCache::cachedCounter(CounterId counter) const {
    const auto found = counters_.find(counter);
    return found == counters_.end() ? nullptr : &found->second;
}

void PictureCache::askLanes(TrackId track, TimeRange range, Ns bucket) {
    const auto read = [known = known_, track, range, bucket](store::Reader &reader, std::stop_token stop) {
        LaneAnswer answer{range, bucket, false, {}, {}, {}};
        auto spans = reader.lanes(track, range, bucket, stop);
        if (!spans)
            return answer;
        answer.names = known->missingOf(*spans);
        auto texts = reader.texts(answer.names);
        if (!texts)
            return answer;
        answer.spans = std::move(*spans);
        answer.texts = std::move(*texts);
        answer.whole = true;
        return answer;
    };
    session_->queries().ask(this, name_ + "/lanes/" + std::to_string(track.value), read,
                            [this, track](LaneAnswer answer) { takeLanes(track, std::move(answer)); });
}

void PictureCache::takeLanes(TrackId track, LaneAnswer answer) {
    LanePicture &picture = lanes_[track];
    if (!answer.whole)
        return;
    {
        const std::scoped_lock lock(known_->mutex);
        known_->ids.insert(answer.names.begin(), answer.names.end());
    }
    for (std::size_t i = 0; i < answer.names.size(); ++i)
        if (!looks_.knows(answer.names[i]))
            looks_.add(answer.names[i], answer.texts[i]);
    picture.range = answer.range;
    picture.bucket = answer.bucket;
    picture.items = std::move(answer.spans);
    picture.stale = false;
    ++picture.arrivals;
    emit arrived();
}

void PictureCache::askCounter(CounterId counter, TimeRange range, Ns bucket) {
    const auto read = [counter, range, bucket](store::Reader &reader, std::stop_token stop) {
        return reader.counterBuckets(counter, range, bucket, stop);
    };
    session_->queries().ask(this, name_ + "/counter/" + std::to_string(counter.value), read,
                            [this, counter, range, bucket](Expected<std::vector<store::CounterBucket>> buckets) {
                                if (!buckets)
                                    return;
                                CounterPicture &picture = counters_[counter];
                                picture.range = range;
                                picture.bucket = bucket;
                                picture.items = std::move(*buckets);
                                picture.stale = false;
                                ++picture.arrivals;
                                emit arrived();
                            });
}

}  // namespace wattproof::widgets
