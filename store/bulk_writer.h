// Bulk writing of imported data. One writer at a time, one thread at a time.
//
// One source after the other: the ids of each are consecutive. Order of calls: addSource, then devices, processes, threads,
// tracks, counters in any order but before the rows that name them; slices per track in their final order (tracks in
// ascending order of beginTrack calls); everything else at any time. finishSource() when a source is complete, commit()
// when all are. Ids are assigned here and returned at once; the rows travel to SQLite in batches.
//
// Argument sets are written in the order in which they are met in the file, long before the slices that refer to them
// are sorted: hence their own ids.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/result.h"
#include "store/rows.h"

namespace wattproof::store {

class BulkWriter {
public:
    virtual ~BulkWriter() = default;

    virtual Expected<SourceId> addSource(const SourceRow &) = 0;     // id, map are ignored
    // Replaces what was not known when the source was added: format, clock, zone, statedBase, sha256, simulated.
    virtual Status updateSource(const SourceRow &) = 0;

    virtual DeviceId addDevice(const DeviceRow &) = 0;
    virtual void updateDevice(const DeviceRow &) = 0;
    virtual ProcessId addProcess(const ProcessRow &) = 0;
    virtual void updateProcess(const ProcessRow &) = 0;
    virtual ThreadId addThread(const ThreadRow &) = 0;
    virtual void updateThread(const ThreadRow &) = 0;
    virtual TrackId addTrack(const TrackRow &) = 0;
    virtual void updateTrack(const TrackRow &) = 0;
    virtual CounterId addCounter(const CounterRow &) = 0;            // makes the counter's track when row.track is none
    virtual void updateCounter(const CounterRow &) = 0;

    // Interned text. The same text gives the same id within a workspace.
    virtual StringId intern(std::string_view text) = 0;
    // Op class and precision of a kernel name, joined into the view gpu_kernels.
    virtual void classifyName(StringId name, std::string_view opClass, std::string_view precision) = 0;

    // Shared key shapes. `keysJson` is a JSON array of the top-level keys of an args object, in file order;
    // `valuesJson` the JSON array of their values (valid JSON; nested values as they stand). The view `args`
    // flattens both. Equal shapes share a row. Kept apart so that the hot path hands over two views of one buffer.
    virtual std::int64_t internArgShape(std::string_view keysJson) = 0;
    virtual ArgSetId addArgs(std::int64_t shape, std::string_view valuesJson) = 0;

    // Slices of one track, complete and in order (rows.h, SliceRow). Writes rows, level-of-detail tiles and the track's
    // count and extent. `id` fields are filled in: ids of one call are consecutive. parentIndex[i] is the index of the
    // parent within the call, or -1 (SliceRow::parent is ignored).
    virtual Status writeTrackSlices(TrackId track, std::span<SliceRow> slices, std::span<const std::int32_t> parentIndex) = 0;

    // In ascending order of slice, over all calls.
    virtual Status writeGpuOps(std::span<const GpuOpRow>) = 0;
    virtual Status writeFlows(std::span<const FlowRow>) = 0;
    // All samples of one counter, ordered by ts (equal stamps keep their order). Writes rows and min-max tiles.
    virtual Status writeSamples(CounterId, std::span<const Sample>) = 0;
    virtual Status writeThreadStates(std::span<const ThreadStateRow>) = 0;
    virtual Status writeRequests(SourceId, std::span<const RequestRow>) = 0;
    virtual Status writeQuality(SourceId, std::span<const QualityRow>) = 0;

    virtual void addMetadata(const MetadataRow &) = 0;
    virtual void addWarning(const WarningRow &) = 0;                 // rows of equal (source, kind) are merged

    // True when the workspace already holds a file with this hash: the importer then says so instead of importing twice.
    virtual bool hasSource(std::string_view sha256) = 0;

    virtual Status finishSource(SourceId) = 0;
    // Makes everything visible and, for a new workspace, moves the file into place. The origin of a new workspace is the
    // earliest stated base of its epoch sources, else the earliest of all.
    virtual Status commit() = 0;
};

}  // namespace wattproof::store
