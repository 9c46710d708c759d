// The one implementation of Reader: a read-only connection and what it has learnt about the tracks. Its parts are
// in reader_*.cpp, by what they read.
#pragma once

#include "store/place.h"
#include "store/reader.h"
#include "store/tiles/tile_levels.h"
#include "store/tiles/track_blocks.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace wattproof::store {

// Where the slices of a track lie and how their times map.
struct TrackSpan {
    TrackId id;
    std::int64_t firstId = 0, lastId = -1;
    TimeRange extent;  // source time
    TimeMap map;
};

// The slices that a range touches: ids [first, end), and earlier ones that still run when it begins.
struct SliceScan {
    TimeRange range;  // source time
    std::vector<std::int64_t> open;
    std::int64_t first = 0, end = 0;

    // Of the table `slice` as s, in the order of ids. Every row touches the range: it runs, or begins, inside.
    [[nodiscard]] std::string sql(const std::string &columns, const std::string &condition = {}) const;
};

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
    Expected<std::string> text(StringId) override;
    Expected<std::vector<std::string>> texts(const std::vector<StringId> &) override;
    Expected<std::vector<std::pair<StringId, std::string>>> classesOfNames() override;

    Expected<std::vector<LaneSpan>> lanes(TrackId, TimeRange, Ns bucket, std::stop_token) override;
    Expected<std::vector<CounterBucket>> counterBuckets(CounterId, TimeRange, Ns bucket, std::stop_token) override;
    Expected<Ns> samplePeriod(CounterId) override;
    Expected<std::vector<Sample>> samples(CounterId, TimeRange, std::stop_token) override;

    Expected<SliceDetails> slice(SliceId) override;
    Expected<std::optional<SliceRow>> sliceAt(TrackId, std::int32_t row, Ns time) override;
    Expected<std::optional<SliceRow>> nextSlice(SliceId, int direction) override;
    Expected<std::vector<SliceRow>> slices(TrackId, TimeRange, std::int64_t limit, std::stop_token) override;
    Expected<std::vector<SliceId>> searchSlices(std::string_view text, std::int64_t limit,
                                                std::stop_token) override;
    Expected<std::vector<NameStats>> statsByName(TimeRange, const std::vector<TrackId> &,
                                                 std::stop_token) override;

    Expected<KernelTable> kernels(std::stop_token) override;
    Expected<std::vector<HostCall>> hostCalls(const std::vector<std::string> &categories, TimeRange,
                                              std::stop_token) override;
    Expected<std::vector<SliceRow>> slicesByNameGlob(std::string_view glob, std::stop_token) override;
    Expected<std::vector<std::pair<SliceId, double>>> numericArgument(const std::vector<SliceId> &,
                                                                      std::string_view key) override;
    Expected<std::vector<RequestRow>> requests() override;
    Expected<std::vector<QualityRow>> quality() override;
    Expected<QueryResult> query(std::string_view sql, std::int64_t rowLimit,
                                const std::vector<std::pair<std::string, double>> &parameters,
                                std::stop_token) override;

private:
    struct CounterSpan {
        std::int64_t firstId = 0, lastId = -1;
        Ns period = 0;
        Ns bridged = 0;  // a longer distance between samples is a gap
        TimeMap map;
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
    [[nodiscard]] Expected<CounterSpan> counterSpan(CounterId) const;
    [[nodiscard]] Expected<TimeMap> mapOfSlice(SliceId) const;
    [[nodiscard]] Expected<SliceScan> scanOf(const TrackSpan &, TimeRange workspaceRange);
    [[nodiscard]] Expected<const TrackBlocks *> blocksOf(const TrackSpan &);
    [[nodiscard]] Expected<const std::vector<LevelDirectory> *> levelsOf(std::int64_t owner, TileOwner kind);
    // The bytes of each tile of the level that touches the range, in order.
    template <class Use>
    Status eachTile(const LevelDirectory &level, TimeRange sourceRange, Use use) const;
    template <class Use>
    Status eachEntry(const TrackSpan &, const SliceScan &, Ns bucket, Use use);
    template <class Use>
    Status eachSampleEntry(CounterId, const CounterSpan &, TimeRange sourceRange, Ns bucket, Use use);
    // The first id in [first, last + 1] of `table` whose ts is >= (or >) the given one.
    [[nodiscard]] Expected<std::int64_t> lowerBound(const char *sql, std::int64_t first, std::int64_t last,
                                                    Ns ts) const;
    [[nodiscard]] Expected<TimeRange> extentWhere(const std::string &condition) const;
    Status checkQuery(std::string_view sql);
    Status describe(SliceDetails &details) const;
    Status relate(SliceDetails &details) const;
    Status nameAndPrice(std::vector<NameStats> &list, const std::vector<TrackSpan> &spans, TimeRange range) const;
    Expected<std::vector<SliceId>> idsOf(const char *sql, SliceId id) const;

    std::shared_ptr<const Place> place_;
    std::unique_ptr<sqlite::Database> database_;
    std::unique_ptr<sqlite::Database> views_;  // schema::viewsAlone(), made at the first query
    // What never changes once a source is complete.
    std::unordered_map<std::int64_t, TrackBlocks> blocks_;
    std::map<std::pair<TileOwner, std::int64_t>, std::vector<LevelDirectory>> levels_;
};

inline constexpr const char *kSliceTime = "SELECT ts FROM slice WHERE id = ?";

// Columns of a slice in the order in which sliceFrom reads them; `s` is the table's alias.
inline constexpr const char *kSliceColumns =
    "s.id, s.track_id, s.ts, s.dur, s.depth, s.lane, s.row, s.parent_id, s.name_id, s.category_id, s.flags, "
    "s.args_id";
[[nodiscard]] SliceRow sliceFrom(const sqlite::Statement &row, const TimeMap &map);

}  // namespace wattproof::store
