// The one implementation of Reader: a read-only connection and what it has learnt about the tracks. Its parts are
// in reader_*.cpp, by what they read.
#pragma once

#include "store/place.h"
#include "store/read/name_set.h"
#include "store/read/name_statistics.h"
#include "store/read/slice_blocks.h"
#include "store/reader.h"
#include "store/tiles/tile_levels.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace wattproof::store {

class SqliteReader : public Reader {
public:
    [[nodiscard]] static Expected<std::unique_ptr<Reader>> make(std::shared_ptr<const Place> place);

    Expected<std::vector<SourceRow>> sources() override;
    Expected<std::vector<DeviceRow>> devices() override;
    Expected<std::vector<ProcessRow>> processes() override;
    Expected<std::vector<ThreadRow>> threads() override;
    Expected<std::vector<TrackRow>> tracks() override;
    Expected<std::vector<CounterRow>> counters() override;
    Expected<std::vector<WarningRow>> warnings() override;
    Expected<std::vector<MetadataRow>> metadata() override;
    Expected<std::optional<std::string>> metadata(SourceId source, std::string_view key) override;
    Ns origin() override;
    Expected<TimeRange> extent() override;
    Expected<TimeRange> extent(SourceId) override;
    Expected<MainPart> mainPart() override;
    Expected<MainPart> mainPart(SourceId) override;
    Expected<std::string> text(StringId) override;
    Expected<std::vector<std::string>> texts(const std::vector<StringId> &) override;
    Expected<std::vector<NameClass>> classesOfNames() override;

    Expected<std::vector<LaneSpan>> lanes(TrackId, TimeRange, Ns bucket, std::stop_token) override;
    Expected<std::vector<CounterBucket>> counterBuckets(CounterId, TimeRange, Ns bucket, std::stop_token) override;
    Expected<Ns> samplePeriod(CounterId) override;
    Expected<std::vector<Sample>> samples(CounterId, TimeRange, std::stop_token) override;

    Expected<SliceDetails> slice(SliceId) override;
    Expected<std::optional<SliceRow>> sliceAt(TrackId, std::int32_t row, Ns time) override;
    Expected<std::optional<SliceRow>> nextSlice(SliceId, int direction) override;
    Expected<std::vector<SliceRow>> slices(TrackId, TimeRange, std::int64_t limit, std::stop_token) override;
    Expected<SearchHits> search(const SearchTerms &, const SearchProgress &, std::stop_token) override;
    Expected<std::vector<NameStats>> statsByName(TimeRange, const std::vector<TrackId> &,
                                                 std::stop_token) override;
    Expected<std::vector<SliceId>> events(const EventFilter &, EventOrder, std::int64_t limit,
                                          std::stop_token) override;
    Expected<std::vector<EventRow>> eventRows(const std::vector<SliceId> &, std::stop_token) override;

    Expected<KernelTable> kernels(std::stop_token) override;
    Expected<std::vector<HostCall>> hostCalls(const std::vector<std::string> &categories, TimeRange,
                                              std::stop_token) override;
    Expected<std::vector<SliceRow>> slicesByNameGlob(std::string_view glob, std::stop_token) override;
    Expected<std::vector<std::pair<SliceId, double>>> numericArgument(const std::vector<SliceId> &,
                                                                      std::string_view key) override;
    Expected<std::vector<RequestRow>> requests() override;
    Expected<std::vector<QualityRow>> quality() override;
    Expected<std::map<SourceId, RequestCounts>> requestCounts() override;
    Expected<QueryResult> query(std::string_view sql, QueryLimits limits,
                                const std::vector<std::pair<std::string, double>> &parameters,
                                std::stop_token) override;
    [[nodiscard]] std::int64_t faultPosition() const override { return faultPosition_; }

private:
    struct CounterSpan {
        std::int64_t firstId = 0, lastId = -1;
        Ns period = 0;
        Ns bridged = 0;  // a longer distance between samples is a gap
        TimeMap map;
    };

    struct PartOfSource {
        TimeRange whole;
        MainPart main;
    };

    SqliteReader(std::shared_ptr<const Place> place, std::unique_ptr<sqlite::Database> database)
        : place_(std::move(place)), database_(std::move(database)) {}

    // Each row of the statement through `read`, until the end, an error or a stop.
    template <class Row, class Read>
    Expected<std::vector<Row>> collect(sqlite::Statement &statement, Read read,
                                       const std::stop_token &stop = {}) const {
        const sqlite::Interruptible interruptible(*database_, stop);
        std::vector<Row> rows;
        while (statement.step())
            rows.push_back(read(statement));
        if (Status status = statement.status(); !status)
            return passOn(status);
        return rows;
    }
    template <class Row, class Read>
    Expected<std::vector<Row>> collect(std::string_view sql, Read read, const std::stop_token &stop = {}) const {
        auto statement = database_->prepare(sql);
        if (!statement)
            return passOn(statement);
        return collect<Row>(*statement, read, stop);
    }

    [[nodiscard]] Expected<TrackSpan> trackSpan(TrackId) const;
    [[nodiscard]] Expected<std::vector<TrackSpan>> trackSpans(const std::string &condition) const;
    [[nodiscard]] Expected<std::vector<TrackSpan>> tracksFor(const SearchTerms &) const;  // in the order of ids
    [[nodiscard]] Expected<CounterSpan> counterSpan(CounterId) const;
    [[nodiscard]] Expected<TrackSpan> trackOfSlice(SliceId) const;
    [[nodiscard]] Expected<std::optional<SliceRow>> sliceRow(SliceId, const TimeMap &) const;
    [[nodiscard]] Expected<SliceScan> scanOf(const TrackSpan &, TimeRange workspaceRange);
    // Every slice of the tracks that touches the range, track by track: begin(track), then use(track, index in the
    // loaded block).
    template <class Begin, class Use>
    Status eachSlice(SliceBlocks &blocks, const std::vector<TrackSpan> &tracks, TimeRange workspaceRange,
                     const std::stop_token &stop, Begin begin, Use use) {
        for (const TrackSpan &track : tracks) {
            auto scan = scanOf(track, workspaceRange);
            if (!scan)
                return passOn(scan);
            begin(track);
            Status status = blocks.each(track, *scan, stop, [&](std::size_t i) { use(track, i); });
            if (!status)
                return status;
        }
        return {};
    }
    // Every slice with one of the names, in the order of ids, until use(track, id) says false.
    template <class Use>
    Status eachNamed(const NameSet &names, const std::stop_token &stop, Use use) const;
    [[nodiscard]] Expected<const TrackBlocks *> blocksOf(const TrackSpan &);
    [[nodiscard]] Expected<const std::vector<LevelDirectory> *> levelsOf(std::int64_t owner, TileOwner kind);
    // The bytes of each tile of the level that touches the range, in order.
    template <class Use>
    Status eachTile(const LevelDirectory &level, TimeRange sourceRange, const std::stop_token &stop,
                    Use use) const;
    template <class Use>
    Status eachEntry(const TrackSpan &, const SliceScan &, Ns bucket, const std::stop_token &stop, Use use);
    template <class Use>
    Status eachSampleEntry(CounterId, const CounterSpan &, TimeRange sourceRange, Ns bucket,
                           const std::stop_token &stop, Use use);
    // The first id in [first, last + 1] of `table` whose ts is >= (or >) the given one.
    [[nodiscard]] Expected<std::int64_t> lowerBound(const char *sql, std::int64_t first, std::int64_t last,
                                                    Ns ts) const;
    [[nodiscard]] Expected<TimeRange> extentWhere(const std::string &condition) const;
    [[nodiscard]] Expected<std::vector<PartOfSource>> partsOfSources(std::optional<SourceId> only = {});  // that have times
    Status checkQuery(std::string_view sql);
    Status describe(SliceDetails &details) const;
    Status relate(SliceDetails &details) const;
    Status gather(NameStatistics &statistics, const std::vector<TrackSpan> &spans, TimeRange range,
                  const std::stop_token &stop);
    Status nameAndPrice(std::vector<NameStats> &list, const std::vector<TrackSpan> &spans, TimeRange range) const;
    Expected<std::vector<SliceId>> idsOf(const char *sql, SliceId id) const;

    std::shared_ptr<const Place> place_;
    std::unique_ptr<sqlite::Database> database_;
    std::unique_ptr<sqlite::Database> views_;  // schema::viewsAlone(), made at the first query
    std::int64_t faultPosition_ = -1;
    // What never changes once a source is complete.
    std::unordered_map<std::int64_t, TrackBlocks> blocks_;
    std::map<std::pair<TileOwner, std::int64_t>, std::vector<LevelDirectory>> levels_;
};

// What trackSpans() takes for these tracks, or for all when there are none.
[[nodiscard]] std::string tracksCondition(const std::vector<TrackId> &tracks);

// Columns of a slice in the order in which sliceFrom reads them; `s` is the table's alias.
inline constexpr const char *kSliceColumns =
    "s.id, s.track_id, s.ts, s.dur, s.depth, s.lane, s.row, s.parent_id, s.name_id, s.category_id, s.flags, "
    "s.args_id";
[[nodiscard]] SliceRow sliceFrom(const sqlite::Statement &row, const TimeMap &map);

}  // namespace wattproof::store
