// A BulkWriter that keeps what it is given in plain vectors, for tests of importers without a database. It holds the
// importer to the writer's contract: what breaks it (a slice before its track, samples out of order, values that are not
// JSON ...) is a sentence in `violations`, which every test should find empty.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/bulk_writer.h"

namespace wattproof::test {

class RecordingWriter final : public store::BulkWriter {
public:
    struct Args {
        std::int64_t shape = 0;
        std::string values;
    };
    struct NameClass {
        std::string opClass, precision;
    };

    std::vector<SourceRow> sources;         // index = id - 1, as in all tables here
    std::vector<DeviceRow> devices;
    std::vector<ProcessRow> processes;
    std::vector<ThreadRow> threads;
    std::vector<TrackRow> tracks;
    std::vector<CounterRow> counters;
    std::vector<std::string> strings;
    std::map<std::int64_t, NameClass> classes;   // by StringId
    std::vector<std::string> shapes;
    std::vector<Args> args;
    std::vector<SliceRow> slices;           // parent is filled in from parentIndex
    std::vector<GpuOpRow> gpuOps;
    std::vector<FlowRow> flows;
    std::map<std::int64_t, std::vector<Sample>> samples;   // by CounterId
    std::vector<ThreadStateRow> threadStates;
    std::vector<RequestRow> requests;
    std::vector<QualityRow> quality;
    std::vector<MetadataRow> metadata;
    std::vector<WarningRow> warnings;       // merged by (source, kind)
    std::set<std::string> knownHashes;      // what hasSource() answers
    std::vector<SourceId> finished;
    bool committed = false;
    std::vector<std::string> violations;

    [[nodiscard]] const std::string &text(StringId id) const;
    [[nodiscard]] const TrackRow &track(TrackId id) const { return tracks.at(index(id.value)); }
    [[nodiscard]] const SliceRow &slice(SliceId id) const { return slices.at(index(id.value)); }
    [[nodiscard]] const SliceRow *findSlice(std::string_view name, std::size_t nth = 0) const;
    [[nodiscard]] const CounterRow *findCounter(std::string_view name) const;
    [[nodiscard]] std::int64_t warningCount(std::string_view kind) const;      // 0 when there is none
    [[nodiscard]] const WarningRow *findWarning(std::string_view kind) const;
    [[nodiscard]] std::string metadataValue(std::string_view key) const;       // empty when there is none
    // One argument of a slice as JSON text, by its top-level key; nothing when it has none.
    [[nodiscard]] std::optional<std::string> argument(const SliceRow &, const std::string &key) const;

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
    StringId intern(std::string_view) override;
    void classifyName(StringId, std::string_view opClass, std::string_view precision) override;
    std::int64_t internArgShape(std::string_view keysJson) override;
    ArgSetId addArgs(std::int64_t shape, std::string_view valuesJson) override;
    Status writeTrackSlices(TrackId, std::span<SliceRow>, std::span<const std::int32_t> parentIndex) override;
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
    static std::size_t index(std::int64_t id) { return static_cast<std::size_t>(id - 1); }
    void require(bool holds, std::string sentence);
    template <class Row>
    bool known(const std::vector<Row> &rows, std::int64_t id) const {
        return id >= 1 && id <= static_cast<std::int64_t>(rows.size());
    }
    void requireText(std::initializer_list<std::string_view> texts);
    void checkSlices(TrackId, std::span<const SliceRow>, std::span<const std::int32_t> parentIndex);
    void checkNesting(const SliceRow &child, const SliceRow &parent);

    std::unordered_map<std::string, std::int64_t> stringIds_, shapeIds_;
    std::set<std::int64_t> writtenTracks_, writtenCounters_;
};

}  // namespace wattproof::test
