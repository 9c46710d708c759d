// What is drawn: lanes of slices, envelopes of counters, samples.
#include "store/read/sqlite_reader.h"
#include "store/slice_flags.h"
#include "store/tiles/sample_tiles.h"
#include "store/tiles/slice_tiles.h"

#include <algorithm>

namespace wattproof::store {
namespace {

constexpr const char *kSampleTime = "SELECT ts FROM sample WHERE id = ?";
// So few are read as they are, whatever the resolution.
constexpr std::int64_t kFewSlices = 16'384;
constexpr std::int64_t kFewSamples = 4096;

LaneEntry entryFrom(const SliceBlocks &blocks, std::size_t i) {
    using enum SliceColumn;
    LaneEntry entry;
    entry.slice = blocks.id(i);
    entry.ts = blocks.ts(i);
    entry.dur = entry.busy = entry.longest = blocks.dur(i);
    entry.row = static_cast<std::int32_t>(blocks[Row][i]);
    entry.name = blocks[Name][i];
    entry.flags = static_cast<std::uint8_t>(blocks[Flags][i]);
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
    span.busy = entry.dur == 0
                    ? 1.0F
                    : static_cast<float>(static_cast<double>(entry.busy) / static_cast<double>(entry.dur));
    span.state = stateOf(entry.flags);
    span.kind = kindOf(entry.flags);
    return span;
}

// Spans come by time within each row, but the rows mixed.
class RowSpans {
public:
    void add(const LaneSpan &span) {
        const auto row = static_cast<std::size_t>(span.row);
        if (row >= rows_.size())
            rows_.resize(row + 1);
        rows_[row].push_back(span);
        ++count_;
    }
    [[nodiscard]] std::vector<LaneSpan> take() const {
        std::vector<LaneSpan> spans;
        spans.reserve(count_);
        for (const auto &row : rows_)
            spans.insert(spans.end(), row.begin(), row.end());
        return spans;
    }

private:
    std::vector<std::vector<LaneSpan>> rows_;
    std::size_t count_ = 0;
};

// The coarsest level that still tells a bucket apart; null when rows have to be read.
const LevelDirectory *levelFor(const std::vector<LevelDirectory> &levels, Ns bucket) {
    const LevelDirectory *best = nullptr;
    for (const LevelDirectory &level : levels) {
        if (level.bucket <= bucket)
            best = &level;
    }
    return best;
}

}  // namespace

template <class Use>
Status SqliteReader::eachTile(const LevelDirectory &level, TimeRange range, const std::stop_token &stop,
                              Use use) const {
    auto statement = database_->prepare("SELECT data FROM tile WHERE id = ?");
    if (!statement)
        return passOn(statement);
    for (std::size_t i = 0; i < level.tiles.size(); ++i) {
        const TimeRange &tile = level.tiles[i];
        if (tile.begin >= range.end || tile.end < range.begin)
            continue;
        if (stop.stop_requested())
            return cancelled();
        statement->reset();
        statement->bindAll(level.firstTile + static_cast<std::int64_t>(i));
        if (statement->step())
            use(statement->blob(0));
        if (Status status = statement->status(); !status)
            return status;
    }
    return {};
}

// Slices or runs that touch the scan's range, by time within each row, at a resolution not coarser than the
// bucket.
template <class Use>
Status SqliteReader::eachEntry(const TrackSpan &track, const SliceScan &scan, Ns bucket,
                               const std::stop_token &stop, Use use) {
    auto levels = levelsOf(track.id.value, TileOwner::Track);
    if (!levels)
        return passOn(levels);
    const LevelDirectory *level = scan.end - scan.first > kFewSlices ? levelFor(**levels, bucket) : nullptr;
    if (level != nullptr) {
        return eachTile(*level, scan.range, stop, [&](std::span<const std::byte> bytes) {
            for (const LaneEntry &entry : unpackSliceTile(bytes)) {
                if (scan.touches(entry.ts, entry.dur))
                    use(entry);
            }
        });
    }
    using enum SliceColumn;
    SliceBlocks blocks(*database_, {Name, Dur, Ts, Row, Flags});
    return blocks.each(track, scan, stop, [&](std::size_t i) { use(entryFrom(blocks, i)); });
}

Expected<std::vector<LaneSpan>> SqliteReader::lanes(TrackId id, TimeRange range, Ns bucket, std::stop_token stop) {
    auto track = trackSpan(id);
    if (!track)
        return passOn(track);
    auto scan = scanOf(*track, range);
    if (!scan)
        return passOn(scan);
    RowSpans spans;
    const auto emit = [&](const LaneEntry &entry) { spans.add(spanFrom(entry, track->map)); };
    LaneMerger merger(std::max<Ns>(bucket, 1));
    Status status =
        eachEntry(*track, *scan, bucket, stop, [&](const LaneEntry &entry) { merger.add(entry, emit); });
    if (!status)
        return passOn(status);
    merger.finish(emit);
    return spans.take();
}

// As eachEntry, with at least one entry before the range where there is one: the gap before the first needs it.
template <class Use>
Status SqliteReader::eachSampleEntry(CounterId id, const CounterSpan &counter, TimeRange range, Ns bucket,
                                     const std::stop_token &stop, Use use) {
    auto begin = lowerBound(kSampleTime, counter.firstId, counter.lastId, range.begin);
    auto end = lowerBound(kSampleTime, counter.firstId, counter.lastId, range.end);
    auto levels = levelsOf(id.value, TileOwner::Counter);
    if (!begin || !end || !levels)
        return !begin ? Status(passOn(begin)) : !end ? Status(passOn(end)) : Status(passOn(levels));
    auto statement = database_->prepare("SELECT ts, value FROM sample WHERE id BETWEEN ? AND ?");
    if (!statement)
        return passOn(statement);
    const auto useSamples = [&](std::int64_t first, std::int64_t last) {
        statement->reset();
        statement->bindAll(std::max(first, counter.firstId), std::min(last, counter.lastId));
        while (statement->step())
            use(entryOf(Sample{statement->integer(0), statement->real(1)}));
        return statement->status();
    };
    const LevelDirectory *level = *end - *begin > kFewSamples ? levelFor(**levels, bucket) : nullptr;
    Status status = useSamples(*begin - 1, level == nullptr ? *end : *begin - 1);
    if (!status || level == nullptr)
        return status;
    status = eachTile(*level, range, stop, [&](std::span<const std::byte> bytes) {
        for (const SampleEntry &entry : unpackSampleTile(bytes)) {
            if (entry.ts < range.end && entry.end >= range.begin)
                use(entry);
        }
    });
    return status ? useSamples(*end, *end) : status;
}

Expected<std::vector<CounterBucket>> SqliteReader::counterBuckets(CounterId id, TimeRange range, Ns bucket,
                                                                  std::stop_token stop) {
    auto counter = counterSpan(id);
    if (!counter)
        return passOn(counter);
    const TimeRange source{counter->map.toSource(range.begin), counter->map.toSource(range.end)};
    const sqlite::Interruptible interruptible(*database_, stop);
    std::vector<CounterBucket> buckets;
    std::optional<Ns> before;
    const auto emit = [&](const SampleEntry &entry) {
        const bool gap = before && counter->bridged > 0 && entry.ts - *before > counter->bridged;
        before = entry.end;
        buckets.push_back({counter->map.toWorkspace(entry.ts), counter->map.toWorkspace(entry.end), entry.min,
                           entry.max, entry.first, entry.last, entry.count, gap});
    };
    SampleMerger merger(std::max<Ns>(bucket, 1));
    Status status = eachSampleEntry(id, *counter, source, bucket, stop, [&](const SampleEntry &entry) {
        if (entry.ts < source.end && entry.end >= source.begin)
            return merger.add(entry, emit);
        merger.finish(emit);
        emit(entry);
    });
    if (!status)
        return passOn(status);
    merger.finish(emit);
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
        [&](const sqlite::Statement &row) {
            return Sample{span->map.toWorkspace(row.integer(0)), row.real(1)};
        },
        stop);
}

}  // namespace wattproof::store
