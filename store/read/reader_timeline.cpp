// What is drawn: lanes of slices, envelopes of counters, samples.
#include <algorithm>

#include "store/read/sqlite_reader.h"
#include "store/tiles/lane_merger.h"

namespace wattproof::store {
namespace {

constexpr const char *kSliceTime = "SELECT ts FROM slice WHERE id = ?";
constexpr const char *kSampleTime = "SELECT ts FROM sample WHERE id = ?";
constexpr int kGapPeriods = 5;

LaneEntry entryFrom(const sqlite::Statement &row) {
    LaneEntry entry;
    entry.slice = row.integer(0);
    entry.ts = row.integer(1);
    entry.dur = entry.busy = entry.longest = row.integer(2);
    entry.row = row.int32(3);
    entry.name = row.integer(4);
    entry.flags = static_cast<std::uint8_t>(row.integer(5));
    return entry;
}

LaneSpan spanFrom(const LaneEntry &entry, const TimeMap &map) {
    LaneSpan span;
    span.ts = map.toWorkspace(entry.ts);
    span.dur = map.toWorkspace(entry.ts + entry.dur) - span.ts;
    span.slice = SliceId{entry.slice};
    span.name = StringId{entry.name};
    span.row = entry.row;
    span.count = entry.count;
    span.busy = entry.dur == 0 ? 1.0F : static_cast<float>(static_cast<double>(entry.busy) / static_cast<double>(entry.dur));
    span.state = static_cast<SliceState>(entry.flags & 3U);
    span.kind = static_cast<SliceKind>((entry.flags >> 2U) & 1U);
    return span;
}

}  // namespace

Expected<std::vector<LaneSpan>> SqliteReader::lanes(TrackId track, TimeRange range, Ns bucket, std::stop_token stop) {
    auto span = trackSpan(track);
    if (!span)
        return passOn(span);
    const TimeRange source{span->map.toSource(range.begin), span->map.toSource(range.end)};
    auto end = lowerBound(kSliceTime, span->firstId, span->lastId, source.end);
    if (!end)
        return passOn(end);
    auto statement = database_->prepare(
        "SELECT id, ts, dur, row, name_id, flags FROM slice WHERE id >= ?1 AND id < ?2 AND (ts + dur > ?3 OR ts >= ?3)");
    if (!statement)
        return passOn(statement);
    statement->bindAll(span->firstId, *end, source.begin);
    std::vector<LaneSpan> spans;
    const auto emit = [&](const LaneEntry &entry) { spans.push_back(spanFrom(entry, span->map)); };
    LaneMerger merger(std::max<Ns>(bucket, 1));
    const sqlite::Interruptible interruptible(*database_, stop);
    while (statement->step())
        merger.add(entryFrom(*statement), emit);
    if (Status status = statement->status(); !status)
        return passOn(status);
    merger.finish(emit);
    std::sort(spans.begin(), spans.end(), [](const LaneSpan &a, const LaneSpan &b) {
        return a.row != b.row ? a.row < b.row : a.ts < b.ts;
    });
    return spans;
}

Expected<std::vector<CounterBucket>> SqliteReader::counterBuckets(CounterId counter, TimeRange range, Ns bucket,
                                                                  std::stop_token stop) {
    auto span = counterSpan(counter);
    if (!span)
        return passOn(span);
    auto all = samples(counter, range, std::move(stop));
    if (!all)
        return passOn(all);
    std::vector<CounterBucket> buckets;
    const Ns width = std::max<Ns>(bucket, 1);
    for (std::size_t i = 0; i < all->size(); ++i) {
        const Sample &sample = (*all)[i];
        const bool gap = i > 0 && span->period > 0 && sample.ts - (*all)[i - 1].ts > kGapPeriods * span->period;
        if (buckets.empty() || gap || bucketOf(buckets.back().ts, width) != bucketOf(sample.ts, width)) {
            buckets.push_back({sample.ts, sample.ts, sample.value, sample.value, sample.value, sample.value, 1, gap});
            continue;
        }
        CounterBucket &last = buckets.back();
        last.end = sample.ts;
        last.min = std::min(last.min, sample.value);
        last.max = std::max(last.max, sample.value);
        last.last = sample.value;
        ++last.count;
    }
    return buckets;
}

Expected<Ns> SqliteReader::samplePeriod(CounterId counter) {
    auto span = counterSpan(counter);
    if (!span)
        return passOn(span);
    return span->period;
}

Expected<std::vector<Sample>> SqliteReader::samples(CounterId counter, TimeRange range, std::stop_token stop) {
    auto span = counterSpan(counter);
    if (!span)
        return passOn(span);
    auto begin = lowerBound(kSampleTime, span->firstId, span->lastId, span->map.toSource(range.begin));
    if (!begin)
        return passOn(begin);
    auto end = lowerBound(kSampleTime, span->firstId, span->lastId, span->map.toSource(range.end));
    if (!end)
        return passOn(end);
    auto statement = database_->prepare("SELECT ts, value FROM sample WHERE id BETWEEN ? AND ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(std::max(*begin - 1, span->firstId), std::min(*end, span->lastId));
    return collect<Sample>(
        *statement,
        [&](const sqlite::Statement &row) { return Sample{span->map.toWorkspace(row.integer(0)), row.real(1)}; }, stop);
}

}  // namespace wattproof::store
