// What is drawn, against brute force over the rows.
#include "store/edits.h"
#include "store/reader.h"
#include "tests/support/temporary_workspace.h"

#include <algorithm>
#include <map>
#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;
constexpr std::int32_t kRows = 4;

// Slices of every length from instants to a tenth of the track, bursts and pauses, rows without overlap within
// each.
std::vector<SliceRow> randomSlices(std::mt19937_64 &random, int count, StringId name) {
    std::vector<SliceRow> slices;
    Ns freeFrom[kRows] = {};
    for (int i = 0; i < count; ++i) {
        const auto row = static_cast<std::int32_t>(random() % kRows);
        const auto length = [&](unsigned bits) { return static_cast<Ns>(random() % (std::uint64_t{1} << bits)); };
        const Ns pause = random() % 50 == 0 ? length(24) : length(8);
        const Ns dur = random() % 500 == 0 ? length(27) : random() % 10 == 0 ? length(16) : length(10);
        SliceRow slice = sliceAt(freeFrom[row] + pause, random() % 20 == 0 ? 0 : dur, name, row);
        freeFrom[row] = slice.ts + slice.dur;
        slices.push_back(slice);
    }
    std::stable_sort(slices.begin(), slices.end(), [](const SliceRow &a, const SliceRow &b) {
        return a.ts != b.ts ? a.ts < b.ts : a.dur > b.dur;
    });
    return slices;
}

bool touches(const SliceRow &slice, TimeRange range) {
    return slice.ts < range.end && (slice.ts + slice.dur > range.begin || slice.ts >= range.begin);
}

}  // namespace

class LanesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void longSlicesComeAsThemselves();
    void runsCoverNothingButTheirSlices();
    void noSliceIsLostInFineViews();
    void costFollowsPixels();
    void longSlicesThatBeganBeforeAreFound();
    void countersKeepTheirExtremes();
    void gapsAreMarked();
    void bucketsBringTheirNeighbours();
    void samplesBringTheirNeighbours();
    void sliceAtAndNeighbours();
    void statisticsAgainstBruteForce();
    void recursionCountsOnce();
    void cancelledReadSaysSo();

private:
    [[nodiscard]] TimeRange randomRange();
    [[nodiscard]] Ns bucketFor(TimeRange range) {
        return range.length() / (100 + static_cast<Ns>(random_() % 1000)) + 1;
    }

    TemporaryWorkspace files_;
    std::shared_ptr<Workspace> workspace_;
    std::unique_ptr<Reader> reader_;
    std::vector<SliceRow> slices_;  // workspace time
    std::vector<Sample> samples_;
    TrackId track_, recursive_;
    CounterId counter_;
    std::mt19937_64 random_{1};
};

void LanesTest::initTestCase() {
    files_.create([&](BulkWriter &writer) {
        const SourceId source = require(writer.addSource(traceSource(kBase)));
        TrackRow row;
        row.source = source;
        track_ = writer.addTrack(row);
        slices_ = randomSlices(random_, 60'000, writer.intern("work"));
        require(writer.writeTrackSlices(track_, slices_, std::vector<std::int32_t>(slices_.size(), -1)));
        recursive_ = writer.addTrack(row);
        const StringId f = writer.intern("f"), g = writer.intern("g");
        std::vector<SliceRow> nested{sliceAt(0, 100, f), sliceAt(10, 50, g, 1), sliceAt(20, 30, f, 2),
                                     sliceAt(70, 20, f, 1)};
        require(writer.writeTrackSlices(recursive_, nested, std::vector<std::int32_t>{-1, 0, 1, 0}));
        CounterRow counter;
        counter.source = source;
        counter_ = writer.addCounter(counter);
        Ns at = 0;
        for (int i = 0; i < 50'000; ++i) {
            at += i % 1000 == 999 ? 70'000 : 900 + static_cast<Ns>(random_() % 200);
            samples_.push_back({at, static_cast<double>(random_() % 10'000)});
        }
        require(writer.writeSamples(counter_, samples_));
        require(writer.finishSource(source));
    });
    workspace_ = files_.open();
    Alignment shift;
    shift.source = SourceId{1};
    shift.offset = 1'000;
    require(workspace_->edits().setAlignment(shift));
    for (SliceRow &slice : slices_)
        slice.ts += shift.offset;
    for (Sample &sample : samples_)
        sample.ts += shift.offset;
    reader_ = require(workspace_->reader());
}

TimeRange LanesTest::randomRange() {
    const TimeRange all = require(reader_->extent());
    const Ns begin = all.begin + static_cast<Ns>(random_() % static_cast<std::uint64_t>(all.length()));
    return {begin, begin + 1 + (all.length() >> (random_() % 16))};
}

void LanesTest::longSlicesComeAsThemselves() {
    for (int round = 0; round < 60; ++round) {
        const TimeRange range = randomRange();
        const Ns bucket = bucketFor(range);
        std::map<std::int64_t, LaneSpan> single;
        for (const LaneSpan &span : require(reader_->lanes(track_, range, bucket))) {
            if (span.count == 1)
                single.emplace(span.slice.value, span);
        }
        for (const SliceRow &slice : slices_) {
            if (!touches(slice, range) || slice.dur < bucket)
                continue;
            const auto found = single.find(slice.id.value);
            QVERIFY(found != single.end());
            QCOMPARE(found->second.ts, slice.ts);
            QCOMPARE(found->second.dur, slice.dur);
            QCOMPARE(found->second.row, slice.row);
        }
    }
}

// Every slice that lies wholly inside is in exactly one run, and runs add up.
void LanesTest::runsCoverNothingButTheirSlices() {
    const TimeRange all = require(reader_->extent());
    for (const int pixels : {50, 300, 2000, 30'000}) {
        const auto spans = require(reader_->lanes(track_, all, all.length() / pixels));
        std::size_t counted = 0;
        for (const LaneSpan &span : spans) {
            counted += span.count;
            Ns covered = 0, first = all.end, last = all.begin, longest = 0;
            std::uint32_t inside = 0;
            const auto from = std::lower_bound(slices_.begin(), slices_.end(), span.ts,
                                               [](const SliceRow &s, Ns ts) { return s.ts < ts; });
            for (auto it = from; it != slices_.end() && it->ts <= span.ts + span.dur; ++it) {
                if (it->row != span.row || it->ts + it->dur > span.ts + span.dur)
                    continue;
                ++inside;
                covered += it->dur;
                first = std::min(first, it->ts);
                last = std::max(last, it->ts + it->dur);
                longest = std::max(longest, it->dur);
            }
            // An instant at the very edge may belong to the neighbour.
            QVERIFY(inside >= span.count && inside <= span.count + 2);
            QCOMPARE(first, span.ts);
            QCOMPARE(last, span.ts + span.dur);
            if (span.dur > 0)
                QVERIFY(std::abs(static_cast<double>(span.busy) -
                                 static_cast<double>(covered) / static_cast<double>(span.dur)) < 1e-3);
            if (span.count == 1)
                QVERIFY(span.dur == longest);
        }
        QCOMPARE(counted, slices_.size());
    }
}

void LanesTest::noSliceIsLostInFineViews() {
    for (int round = 0; round < 60; ++round) {
        TimeRange range = randomRange();
        range.end = std::min(range.end, range.begin + 200'000);
        std::size_t counted = 0;
        for (const LaneSpan &span : require(reader_->lanes(track_, range, 1)))
            counted += span.count;
        QCOMPARE(counted,
                 static_cast<std::size_t>(std::count_if(slices_.begin(), slices_.end(),
                                                        [&](const SliceRow &s) { return touches(s, range); })));
    }
}

void LanesTest::costFollowsPixels() {
    const TimeRange all = require(reader_->extent());
    for (const Ns pixels : {Ns{100}, Ns{1000}}) {
        const auto spans = require(reader_->lanes(track_, all, all.length() / pixels));
        QVERIFY(spans.size() <= static_cast<std::size_t>(kRows * 3 * (pixels + 1)));
    }
    QVERIFY(plainText(files_.path(), "SELECT count(*) FROM tile_level WHERE owner_kind = 0").toInt() >= 3);
}

void LanesTest::longSlicesThatBeganBeforeAreFound() {
    const auto longest = std::max_element(slices_.begin(), slices_.end(),
                                          [](const SliceRow &a, const SliceRow &b) { return a.dur < b.dur; });
    const TimeRange range{longest->ts + longest->dur - 10, longest->ts + longest->dur - 5};
    const auto holds = [&](const auto &list, auto idOf) {
        return std::any_of(list.begin(), list.end(), [&](const auto &item) { return idOf(item) == longest->id; });
    };
    QVERIFY(holds(require(reader_->lanes(track_, range, 1)), [](const LaneSpan &s) { return s.slice; }));
    QVERIFY(holds(require(reader_->slices(track_, range, 1000)), [](const SliceRow &s) { return s.id; }));
    QVERIFY(holds(require(reader_->hostCalls({}, range)), [](const HostCall &s) { return s.slice; }));
}

void LanesTest::countersKeepTheirExtremes() {
    for (int round = 0; round < 60; ++round) {
        const TimeRange range = randomRange();
        const Ns bucket = bucketFor(range);
        const auto buckets = require(reader_->counterBuckets(counter_, range, bucket));
        double low = 1e9, high = -1;
        for (const CounterBucket &b : buckets) {
            low = std::min(low, b.min);
            high = std::max(high, b.max);
            QVERIFY(b.end - b.ts < 4 * bucket || b.count == 1);
            double bucketLow = 1e9, bucketHigh = -1;
            std::uint32_t count = 0;
            for (const Sample &sample : samples_) {
                if (sample.ts >= b.ts && sample.ts <= b.end) {
                    bucketLow = std::min(bucketLow, sample.value);
                    bucketHigh = std::max(bucketHigh, sample.value);
                    ++count;
                }
            }
            QCOMPARE(count, b.count);
            QCOMPARE(bucketLow, b.min);
            QCOMPARE(bucketHigh, b.max);
        }
        for (const Sample &sample : samples_) {
            if (range.contains(sample.ts))
                QVERIFY(sample.value >= low && sample.value <= high);
        }
    }
}

void LanesTest::gapsAreMarked() {
    const TimeRange all = require(reader_->extent());
    QVERIFY(require(reader_->samplePeriod(counter_)) > 900);
    for (const Ns bucket : {Ns{1}, Ns{3'000}}) {
        const auto buckets = require(reader_->counterBuckets(counter_, {all.begin, all.end + 1}, bucket));
        QCOMPARE(std::count_if(buckets.begin(), buckets.end(), [](const CounterBucket &b) { return b.gapBefore; }),
                 50);
    }
    // The gap before the first sample of a range counts too.
    const Sample afterGap = samples_[999];
    QVERIFY(require(reader_->counterBuckets(counter_, {afterGap.ts, afterGap.ts + 10}, 1)).at(1).gapBefore);
}

// A curve that has no sample in sight enters and leaves all the same.
void LanesTest::bucketsBringTheirNeighbours() {
    const Sample &before = samples_[10], &after = samples_[11];
    const auto between = require(reader_->counterBuckets(counter_, {before.ts + 1, before.ts + 2}, 1));
    QCOMPARE(between.size(), std::size_t{2});
    QCOMPARE(between[0].ts, before.ts);
    QCOMPARE(between[0].last, before.value);
    QCOMPARE(between[1].ts, after.ts);
    for (const Ns bucket : {Ns{1}, Ns{3'000}, Ns{1'000'000}}) {
        const auto some = require(reader_->counterBuckets(counter_, {after.ts, samples_[9'000].ts}, bucket));
        QCOMPARE(some.front().end, before.ts);
        QCOMPARE(some.back().ts, samples_[9'000].ts);
    }
    const Ns first = samples_.front().ts, last = samples_.back().ts;
    QCOMPARE(require(reader_->counterBuckets(counter_, {last + 1, last + 2}, 1)).size(), std::size_t{1});
    QCOMPARE(require(reader_->counterBuckets(counter_, {first - 2, first - 1}, 1)).size(), std::size_t{1});
}

void LanesTest::samplesBringTheirNeighbours() {
    const TimeRange range{samples_[10].ts, samples_[12].ts};
    const auto found = require(reader_->samples(counter_, range));
    QCOMPARE(found.size(), std::size_t{4});
    QCOMPARE(found.front().ts, samples_[9].ts);
    QCOMPARE(found.back().ts, samples_[12].ts);
    QCOMPARE(require(reader_->samples(counter_, {samples_[0].ts - 5, samples_[0].ts})).size(), std::size_t{1});
}

void LanesTest::sliceAtAndNeighbours() {
    for (int round = 0; round < 200; ++round) {
        const SliceRow &slice = slices_[random_() % slices_.size()];
        if (slice.dur < 2)
            continue;
        const auto found = require(reader_->sliceAt(track_, slice.row, slice.ts + slice.dur / 2));
        QVERIFY(found.has_value());
        QCOMPARE(found->id, slice.id);
        const auto next = require(reader_->nextSlice(slice.id, 1));
        if (next) {
            QCOMPARE(next->row, slice.row);
            QVERIFY(next->ts >= slice.ts + slice.dur);
            QCOMPARE(require(reader_->nextSlice(next->id, -1))->id, slice.id);
        }
    }
    QVERIFY(!require(reader_->sliceAt(track_, 0, require(reader_->extent()).begin - 1)).has_value());
}

void LanesTest::statisticsAgainstBruteForce() {
    for (int round = 0; round < 20; ++round) {
        const TimeRange range = randomRange();
        const auto stats = require(reader_->statsByName(range, {track_}));
        std::vector<Ns> durations;
        Ns sum = 0;
        for (const SliceRow &slice : slices_) {
            if (!touches(slice, range))
                continue;
            durations.push_back(slice.dur);
            sum += std::min(slice.ts + slice.dur, range.end) - std::max(slice.ts, range.begin);
        }
        if (durations.empty()) {
            QVERIFY(stats.empty());
            continue;
        }
        std::sort(durations.begin(), durations.end());
        const auto rank = [&](std::size_t percent) {
            return durations[(durations.size() * percent + 99) / 100 - 1];
        };
        QCOMPARE(stats.size(), std::size_t{1});
        QCOMPARE(stats[0].text, std::string("work"));
        QCOMPARE(stats[0].count, static_cast<std::int64_t>(durations.size()));
        QCOMPARE(stats[0].self, sum);
        QCOMPARE(stats[0].p50, rank(50));
        QCOMPARE(stats[0].p95, rank(95));
        QCOMPARE(stats[0].p99, rank(99));
        QCOMPARE(stats[0].max, durations.back());
    }
}

void LanesTest::recursionCountsOnce() {
    const auto stats = require(reader_->statsByName(require(reader_->extent()), {recursive_}));
    QCOMPARE(stats.size(), std::size_t{2});
    QCOMPARE(stats[0].text, std::string("f"));
    QCOMPARE(stats[0].count, std::int64_t{3});
    QCOMPARE(stats[0].total, Ns{100});
    QCOMPARE(stats[0].self, Ns{100 - 50 - 20 + 30 + 20});
    QCOMPARE(stats[1].total, Ns{50});
    QCOMPARE(stats[1].self, Ns{20});
}

void LanesTest::cancelledReadSaysSo() {
    std::stop_source stop;
    stop.request_stop();
    const auto stats = reader_->statsByName(require(reader_->extent()), {}, stop.get_token());
    QVERIFY(!stats);
    QVERIFY(isCancelled(stats.error()));
}

QTEST_APPLESS_MAIN(LanesTest)
#include "tst_lanes.moc"
