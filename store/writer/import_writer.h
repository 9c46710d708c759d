// The one implementation of BulkWriter: for a new file and for sources added to an open workspace.
#pragma once

#include "store/bulk_writer.h"
#include "store/tiles/tile_levels.h"
#include "store/writer/insert_queue.h"
#include "store/writer/string_pool.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace wattproof::store {

// The last id handed out in each numbered series; the names are those of high_water.
enum class Series : std::uint8_t {
    Source,
    Metadata,
    Warning,
    Device,
    Process,
    Thread,
    Track,
    Counter,
    String,
    ArgShape,
    ArgSet,
    Slice,
    Flow,
    Sample,
    ThreadState,
    Request,
    Quality,
    TileLevel,
    Tile,
    Count
};
[[nodiscard]] const char *nameOf(Series);
[[nodiscard]] Series seriesOf(std::string_view name);
using Marks = std::array<std::int64_t, static_cast<std::size_t>(Series::Count)>;

struct TrackRecord {
    TrackRow row;
    std::int64_t firstId = 0, lastId = -1;
    TimeRange extent;  // source time
};

struct CounterRecord {
    CounterRow row;
    std::int64_t firstId = 0, lastId = -1;
    TimeRange extent;  // source time, first to last sample
    Ns period = 0;
};

struct SourceRecord {
    SourceRow row;
    Marks before{};  // where the series stood when the source was added
    Marks after{};   // and when it was finished
    bool finished = false;
};

// Rows of a small table, held until their source is finished.
template <class Record>
class Held {
public:
    std::int64_t add(Record record) {
        records_.push_back(std::move(record));
        return firstId_ + static_cast<std::int64_t>(records_.size()) - 1;
    }
    // Null for an id that was not handed out by this writer.
    Record *find(std::int64_t id) {
        const std::int64_t index = id - firstId_;
        return index >= 0 && index < static_cast<std::int64_t>(records_.size())
                   ? &records_[static_cast<std::size_t>(index)]
                   : nullptr;
    }
    std::vector<Record> &records() { return records_; }
    void startAt(std::int64_t firstId) { firstId_ = firstId; }
    [[nodiscard]] std::int64_t lastId() const { return firstId_ + static_cast<std::int64_t>(records_.size()) - 1; }

private:
    std::vector<Record> records_;
    std::int64_t firstId_ = 1;
};

// How an import ends. `last` is the end of the batch that makes everything visible, on the connection; `closed` runs
// when the connection has been closed; `abandon` when the writer goes without commit.
struct Ending {
    InsertQueue::Batch last;
    std::function<Status()> closed;
    std::function<void()> abandon;
};

class ImportWriter : public BulkWriter {
public:
    ImportWriter(std::unique_ptr<InsertQueue> queue, Ending ending);
    ~ImportWriter() override;
    ImportWriter(const ImportWriter &) = delete;
    ImportWriter &operator=(const ImportWriter &) = delete;

    // For a workspace that has content: continues its ids, knows its strings, sources and origin. A source that is to
    // be replaced is not known.
    [[nodiscard]] Status continueFrom(const sqlite::Database &reader, SourceId replaced = {});

    Expected<SourceId> addSource(const SourceRow &) override;
    Status updateSource(const SourceRow &) override;
    DeviceId addDevice(const DeviceRow &) override;
    void updateDevice(const DeviceRow &) override;
    ProcessId addProcess(const ProcessRow &) override;
    void updateProcess(const ProcessRow &) override;
    ThreadId addThread(const ThreadRow &) override;
    void updateThread(const ThreadRow &) override;
    TrackId addTrack(const TrackRow &) override;
    void updateTrack(const TrackRow &) override;
    CounterId addCounter(const CounterRow &) override;
    void updateCounter(const CounterRow &) override;
    StringId intern(std::string_view text) override;
    void classifyName(StringId name, std::string_view opClass, std::string_view precision) override;
    std::int64_t internArgShape(std::string_view keysJson) override;
    ArgSetId addArgs(std::int64_t shape, std::string_view valuesJson) override;
    Status writeTrackSlices(TrackId track, std::span<SliceRow> slices,
                            std::span<const std::int32_t> parentIndex) override;
    Status writeGpuOps(std::span<const GpuOpRow>) override;
    Status writeFlows(std::span<const FlowRow>) override;
    Status writeSamples(CounterId, std::span<const Sample>) override;
    Status writeThreadStates(std::span<const ThreadStateRow>) override;
    Status writeRequests(SourceId, std::span<const RequestRow>) override;
    Status writeQuality(SourceId, std::span<const QualityRow>) override;
    void addMetadata(const MetadataRow &) override;
    void addWarning(const WarningRow &) override;
    bool hasSource(std::string_view sha256) override;
    Status finishSource(SourceId) override;
    Status commit() override;

private:
    // Texts of a batch end to end, with where each ends.
    struct ArgBatch {
        std::int64_t firstId = 0;
        std::string text;
        std::vector<std::pair<std::int64_t, std::size_t>> shapesAndEnds;
    };
    struct StringBatch {
        std::int64_t firstId = 0;
        std::vector<std::string_view> texts;
    };
    struct Origin {
        Ns stated = 0;
        bool wall = false;
        bool isNew = true;
    };

    std::int64_t &last(Series series) { return marks_[static_cast<std::size_t>(series)]; }
    [[nodiscard]] Marks currentMarks();
    void pushStrings();
    void pushArgs();
    template <class Row, class Append>
    void pushNumbered(Series series, const RowTable &table, std::span<const Row> rows, Append append);
    void pushLevels(std::int64_t owner, TileOwner kind, std::vector<PackedLevel> levels);
    void pushRowsOf(SourceId source);
    void pushWarningsAndMetadata(SourceId source);
    void chooseOrigin();
    void pushPublication();
    static Status insertAlignment(Inserts &inserts, const SourceRow &row, const Origin &origin);
    void discardUnfinished();

    std::unique_ptr<InsertQueue> queue_;  // gone after commit
    Ending ending_;
    bool committed_ = false;

    Marks marks_{};
    StringPool strings_;
    StringBatch newStrings_;
    std::unordered_map<std::string, std::int64_t> argShapes_;
    ArgBatch newArgs_;
    Held<SourceRecord> sources_;
    Held<DeviceRow> devices_;
    Held<ProcessRow> processes_;
    Held<ThreadRow> threads_;
    Held<TrackRecord> tracks_;
    Held<CounterRecord> counters_;
    std::map<std::pair<std::int64_t, std::string>, WarningRow> warnings_;
    std::vector<MetadataRow> metadata_;
    std::vector<std::string> knownHashes_;
    Origin origin_;
};

}  // namespace wattproof::store
