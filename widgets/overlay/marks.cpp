#include "widgets/overlay/marks.h"

#include "report/draw/time_scale.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wattproof::widgets {
namespace {

constexpr Ns kOverviewBuckets = 4096;
constexpr Ns kLeastPeriods = 64;  // of samples around what is visible: enough to tell a frozen sensor

using Buckets = std::vector<store::CounterBucket>;

// How far a sensor has to move, as a share of its highest value, to count as moving.
double moveOf(const CounterRow &counter) {
    constexpr double kDegrees = 5, kClockShare = 0.1, kLoadShare = 0.5;
    if (counter.quantity == "temperature")
        return kDegrees;
    return counter.maxValue * (counter.quantity == "clock" ? kClockShare : kLoadShare);
}

// Of the samples in the range alone, without their neighbours: low > high without any.
std::pair<double, double> spreadIn(const std::vector<store::CounterBucket> &buckets, TimeRange range) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const store::CounterBucket &bucket : buckets) {
        if (bucket.end < range.begin || bucket.ts >= range.end)
            continue;
        low = std::min(low, bucket.min);
        high = std::max(high, bucket.max);
    }
    return {low, high};
}

class Witnesses {
public:
    Witnesses(store::Reader &reader, const std::vector<CounterRow> &counters, Ns bucket, std::stop_token stop)
        : reader_(reader), counters_(counters), bucket_(bucket), stop_(std::move(stop)) {}

    // An unreadable witness says nothing: the channel itself is read by the same reader and reports the error.
    [[nodiscard]] bool moved(DeviceId device, TimeRange range, bool coarse) {
        return std::any_of(counters_.begin(), counters_.end(), [&](const CounterRow &counter) {
            if (counter.device != device || (coarse && counter.quantity != "utilisation"))
                return false;
            const auto buckets = reader_.counterBuckets(counter.id, range, bucket_, stop_);
            if (!buckets)
                return false;
            const auto [low, high] = spreadIn(*buckets, range);
            return high > low && high - low >= moveOf(counter);
        });
    }

private:
    store::Reader &reader_;
    const std::vector<CounterRow> &counters_;
    Ns bucket_;
    std::stop_token stop_;
};

Expected<std::vector<DoubtSpan>> judge(store::Reader &reader, const CounterRow &counter,
                                       const std::vector<CounterRow> &witnesses, TimeRange range, Ns bucket,
                                       const std::stop_token &stop) {
    auto period = reader.samplePeriod(counter.id);
    if (!period)
        return passOn(period);
    const Ns least = kLeastPeriods * *period;
    if (range.length() < least)
        range = {range.begin - least / 2, range.end + least / 2};
    auto buckets = reader.counterBuckets(counter.id, range, bucket, stop);
    if (!buckets)
        return passOn(buckets);
    Witnesses others(reader, witnesses, bucket, stop);
    return doubtsOf(counter, *buckets, *period,
                    [&](TimeRange run, bool coarse) { return others.moved(counter.device, run, coarse); });
}

// What the overview found stands where the closer look sees too little of it.
void addMissing(std::vector<DoubtSpan> &spans, const std::vector<DoubtSpan> &overview) {
    for (const DoubtSpan &span : overview) {
        const bool known = std::any_of(spans.begin(), spans.end(), [&span](const DoubtSpan &other) {
            return other.doubt == span.doubt && other.range.begin < span.range.end &&
                   span.range.begin < other.range.end;
        });
        if (!known)
            spans.push_back(span);
    }
}

}  // namespace

Expected<OverlayMarks> readMarks(store::Reader &reader, const MarkedChannels &channels, TimeRange range, Ns bucket,
                                 TimeRange extent, const std::stop_token &stop) {
    OverlayMarks marks;
    const Ns coarse = std::max(bucket, extent.length() / kOverviewBuckets);
    for (const CounterRow &counter : channels.judged) {
        auto spans = judge(reader, counter, channels.witnesses, range, bucket, stop);
        if (!spans)
            return passOn(spans);
        auto overview = judge(reader, counter, channels.witnesses, extent, coarse, stop);
        if (!overview)
            return passOn(overview);
        addMissing(*spans, *overview);
        if (!spans->empty())
            marks.doubts[counter.id] = std::move(*spans);
    }
    for (const CounterRow &mask : channels.masks) {
        auto period = reader.samplePeriod(mask.id);
        if (!period)
            return passOn(period);
        auto buckets = reader.counterBuckets(mask.id, range, bucket, stop);
        if (!buckets)
            return passOn(buckets);
        auto spans = throttleSpans(mask, *buckets, *period);
        if (!spans)
            return passOn(spans);
        marks.throttle.insert(marks.throttle.end(), spans->begin(), spans->end());
    }
    std::stable_sort(marks.throttle.begin(), marks.throttle.end(),
                     [](const ThrottleSpan &a, const ThrottleSpan &b) { return a.range.begin < b.range.begin; });
    return marks;
}

MarkCache::MarkCache(Session *session, QObject *parent) : QObject(parent), session_(session) {
    connect(session, &Session::dataChanged, this, &MarkCache::forget);
}

void MarkCache::setChannels(MarkedChannels channels) {
    channels_ = std::move(channels);
    forget();
}

void MarkCache::forget() {
    askedBucket_ = 0;
    emit arrived();
}

const OverlayMarks &MarkCache::marks(TimeRange visible, double pixels) {
    const Ns bucket = draw::bucketFor(visible, pixels);
    const TimeRange extent = session_->view().extent();
    const bool covered =
        asked_.begin <= std::max(visible.begin, extent.begin) && std::min(visible.end, extent.end) <= asked_.end;
    if (visible.empty() || (askedBucket_ == bucket && covered))
        return *marks_;
    asked_ = draw::rangeToCache(visible, bucket);
    askedBucket_ = bucket;
    session_->queries().ask(
        this, "overlay/marks",
        [channels = channels_, range = asked_, bucket, extent](store::Reader &reader,
                                                               const std::stop_token &stop) {
            return readMarks(reader, channels, range, bucket, extent, stop);
        },
        [this](Expected<OverlayMarks> &&marks) {
            if (!marks)
                return;
            marks_ = std::make_shared<const OverlayMarks>(std::move(*marks));
            ++arrivals_;
            emit arrived();
        });
    return *marks_;
}

}  // namespace wattproof::widgets
