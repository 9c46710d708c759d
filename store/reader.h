// Reading a workspace. A Reader belongs to one thread; get one from Workspace::reader() or run through QueryService.
// Times in and out are workspace time. Every call that can be long takes a stop token and returns cancelled().
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "store/events.h"
#include "store/result.h"
#include "store/rows.h"
#include "store/search.h"

namespace wattproof::store {

// One thing to draw in a row of a track: a slice, or (count > 1) a run of slices that are narrower than a bucket, seen
// through the one that covers most of it.
struct LaneSpan {
    Ns ts = 0;
    Ns dur = 0;
    SliceId slice;             // the slice itself, or the longest of the run
    StringId name;
    std::int32_t row = 0;
    std::uint32_t count = 1;
    float busy = 1.0F;         // share of [ts, ts+dur) that is covered: tints the run
    SliceKind kind = SliceKind::Slice;
    SliceState state = SliceState::Ok;
};

// Min–max envelope of a counter in one bucket; a bucket without samples is absent. `gapBefore`: the distance to the
// sample before is a gap by the rule of docs/methods.md (more than 5 median periods, or max_gap_s of the import).
struct CounterBucket {
    Ns ts = 0;
    Ns end = 0;                // time of the last sample in it
    double min = 0, max = 0, first = 0, last = 0;
    std::uint32_t count = 0;
    bool gapBefore = false;
};

struct Argument {
    std::string key;           // flattened: dotted, [i] for arrays
    std::string type;
    std::string value;         // as text; empty with type "null" for null
};

struct SliceDetails {
    SliceRow slice;
    std::string name, category;
    std::string trackName;
    SourceId source;
    std::vector<Argument> arguments;
    std::vector<SliceId> ancestors;          // parent first
    std::optional<GpuOpRow> gpuOp;
    std::string opClass, precision;
    std::vector<SliceId> launched;           // GPU operations this call launched (at most 100)
    std::int64_t launchedCount = 0;
    std::vector<SliceId> flowsIn, flowsOut;
    std::optional<double> joules, joulesLow, joulesHigh;   // of the last analysis
};

// Numbers of one name in an area; a slice counts when it starts or runs inside, times are clipped to the area.
// Percentiles are of the unclipped durations, nearest rank.
struct NameStats {
    StringId name;
    std::string text;
    std::int64_t count = 0;
    Ns total = 0, self = 0, min = 0, max = 0;   // total counts recursion once
    double mean = 0;
    Ns p50 = 0, p95 = 0, p99 = 0;
    std::optional<double> joules;
};

struct KernelInterval {          // gpu_kernels joined with slices, ordered by ts
    SliceId slice;
    TimeRange range;
    GpuActivity activity = GpuActivity::Kernel;
    DeviceId device;
    TrackId track;
    StringId name;
    std::int32_t classIndex = 0;          // into KernelTable::classes
    SliceId launch;
    CopyKind copyKind = CopyKind::None;
    std::int64_t bytes = -1;              // -1 = unknown
    std::int64_t correlation = 0;
};

// What the classification said of a name; empty: nothing.
struct NameClass {
    StringId name;
    std::string opClass, precision;
};

struct KernelTable {
    struct Class {
        std::string opClass, precision;
    };
    std::vector<Class> classes;
    std::vector<KernelInterval> kernels;
};

struct HostCall {                // a slice on a thread track, for idle causes: runtime calls, operators, python
    SliceId slice;
    TrackId track;
    TimeRange range;
    StringId name;
    StringId category;
    std::int32_t depth = 0;
};

// Cell types of a query's answer, as SQLite numbers them.
enum CellType : int { kInteger = 1, kFloat = 2, kText = 3, kBlob = 4, kNull = 5 };

struct QueryResult {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;     // text as SQLite prints it
    std::vector<std::vector<int>> types;            // CellType of each cell
    bool truncated = false;                          // more rows than the limits let in
    bool full = false;                               // truncated by the limit of bytes
};

// Where a query's answer ends. Bytes are those that the answer takes in memory, within a row.
struct QueryLimits {
    std::int64_t rows = 0;
    std::size_t bytes = std::numeric_limits<std::size_t>::max();

    QueryLimits(std::int64_t mostRows) : rows(mostRows) {}
    QueryLimits(std::int64_t mostRows, std::size_t mostBytes) : rows(mostRows), bytes(mostBytes) {}
};

// The part of the time axis that holds nearly all events (store/main_cluster.h), and how many lie before and after it.
struct MainPart {
    TimeRange range;
    std::int64_t before = 0, after = 0;

    [[nodiscard]] bool isAll() const { return before + after == 0; }
};

class Reader {
public:
    virtual ~Reader() = default;

    // Whole small tables.
    virtual Expected<std::vector<SourceRow>> sources() = 0;
    virtual Expected<std::vector<DeviceRow>> devices() = 0;
    virtual Expected<std::vector<ProcessRow>> processes() = 0;
    virtual Expected<std::vector<ThreadRow>> threads() = 0;
    virtual Expected<std::vector<TrackRow>> tracks() = 0;
    virtual Expected<std::vector<CounterRow>> counters() = 0;
    virtual Expected<std::vector<WarningRow>> warnings() = 0;
    virtual Expected<std::vector<MetadataRow>> metadata() = 0;
    virtual Expected<std::optional<std::string>> metadata(SourceId source, std::string_view key) = 0;
    virtual Ns origin() = 0;                                   // stated ns of workspace time 0
    virtual Expected<TimeRange> extent() = 0;                  // of all slices and samples
    virtual Expected<TimeRange> extent(SourceId) = 0;
    // The main clusters of all traces together with the extents of everything else; extent() where nothing is far off.
    virtual Expected<MainPart> mainPart() = 0;
    virtual Expected<MainPart> mainPart(SourceId) = 0;

    virtual Expected<std::string> text(StringId) = 0;
    virtual Expected<std::vector<std::string>> texts(const std::vector<StringId> &) = 0;
    // Op class and precision of each kernel name that has one: for colouring.
    virtual Expected<std::vector<NameClass>> classesOfNames() = 0;

    // What to draw of a track in a range at a resolution; cost follows range.length() / bucket, not the number of slices.
    // Slices at least a bucket long come as themselves, shorter ones in runs. Ordered by (row, ts).
    virtual Expected<std::vector<LaneSpan>> lanes(TrackId, TimeRange, Ns bucket, std::stop_token = {}) = 0;
    // Like samples(), with the last sample before and the first after the range: a curve enters and leaves it.
    virtual Expected<std::vector<CounterBucket>> counterBuckets(CounterId, TimeRange, Ns bucket, std::stop_token = {}) = 0;
    // Median distance between samples: the base of the gap rule. 0 with fewer than three samples.
    virtual Expected<Ns> samplePeriod(CounterId) = 0;
    // All samples in a range, with the one before and the one after it (for interpolated edges).
    virtual Expected<std::vector<Sample>> samples(CounterId, TimeRange, std::stop_token = {}) = 0;

    virtual Expected<SliceDetails> slice(SliceId) = 0;
    virtual Expected<std::optional<SliceRow>> sliceAt(TrackId, std::int32_t row, Ns time) = 0;
    virtual Expected<std::optional<SliceRow>> nextSlice(SliceId, int direction) = 0;    // neighbour in its row: -1 or +1
    virtual Expected<std::vector<SliceRow>> slices(TrackId, TimeRange, std::int64_t limit, std::stop_token = {}) = 0;
    // All slices that the terms fit; none for empty terms. `progress`, where there is one, is called on this thread.
    virtual Expected<SearchHits> search(const SearchTerms &, const SearchProgress &progress = {}, std::stop_token = {}) = 0;
    // Statistics by name over the tracks in the range (all tracks when empty), ordered by total, largest first.
    virtual Expected<std::vector<NameStats>> statsByName(TimeRange, const std::vector<TrackId> &, std::stop_token = {}) = 0;

    // The slices of a filter in order, at most `limit`: by time the first of many come at once.
    virtual Expected<std::vector<SliceId>> events(const EventFilter &, EventOrder, std::int64_t limit,
                                                  std::stop_token = {}) = 0;
    // One row for each id, in the same order; ids that are not there are left out.
    virtual Expected<std::vector<EventRow>> eventRows(const std::vector<SliceId> &, std::stop_token = {}) = 0;

    virtual Expected<KernelTable> kernels(std::stop_token = {}) = 0;
    // Slices on thread tracks of these categories (all when empty) in the range, ordered by ts.
    virtual Expected<std::vector<HostCall>> hostCalls(const std::vector<std::string> &categories, TimeRange,
                                                      std::stop_token = {}) = 0;
    // Slices whose name matches a glob ('*', '?'), ordered by ts: units of work.
    virtual Expected<std::vector<SliceRow>> slicesByNameGlob(std::string_view glob, std::stop_token = {}) = 0;
    // Numeric argument `key` of each slice of the list that has it.
    virtual Expected<std::vector<std::pair<SliceId, double>>> numericArgument(const std::vector<SliceId> &,
                                                                              std::string_view key) = 0;
    virtual Expected<std::vector<RequestRow>> requests() = 0;
    virtual Expected<std::vector<QualityRow>> quality() = 0;
    // Of the sources that hold any.
    virtual Expected<std::map<SourceId, RequestCounts>> requestCounts() = 0;

    // The user's SQL and the evidence of findings: read-only by connection and authorizer (no ATTACH, no writing pragma, no
    // extension, the public views only), `:name` parameters bound as numbers.
    virtual Expected<QueryResult> query(std::string_view sql, QueryLimits limits,
                                        const std::vector<std::pair<std::string, double>> &parameters = {},
                                        std::stop_token = {}) = 0;
    // Of the last query that could not be run: the byte of its text at which SQLite saw the fault; -1: it does not say.
    [[nodiscard]] virtual std::int64_t faultPosition() const = 0;
};

}  // namespace wattproof::store
