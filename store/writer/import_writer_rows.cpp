// Rows with times: slices, GPU operations, flows, samples, states, requests, quality.
#include "store/sample_pace.h"
#include "store/slice_flags.h"
#include "store/tiles/sample_tiles.h"
#include "store/tiles/slice_columns.h"
#include "store/tiles/slice_tiles.h"
#include "store/tiles/track_blocks.h"
#include "store/writer/import_writer.h"

#include <algorithm>

namespace wattproof::store {
namespace {

constexpr std::size_t kBatchRows = 8192;  // whole blocks of slices
constexpr auto kBlockRows = static_cast<std::size_t>(kSlicesPerBlock);
static_assert(kBatchRows % kBlockRows == 0);
constexpr std::size_t kTilesPerBatch = 64;

constexpr RowTable kSlices{"slice", "INSERT INTO slice VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"};
constexpr RowTable kSliceBlocks{"slice_block", "INSERT INTO slice_block VALUES(?,?)"};
constexpr RowTable kGpuOps{"gpu_op", "INSERT INTO gpu_op VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"};
constexpr RowTable kFlows{"flow", "INSERT INTO flow VALUES(?,?,?,?,?)"};
constexpr RowTable kSamples{"sample", "INSERT INTO sample VALUES(?,?,?)"};
constexpr RowTable kThreadStates{"thread_state", "INSERT INTO thread_state VALUES(?,?,?,?,?,?)"};
constexpr RowTable kRequests{"request", "INSERT INTO request VALUES(?,?,?,?,?,?,?,?)"};
constexpr RowTable kQualityValues{"quality_value", "INSERT INTO quality_value VALUES(?,?,?,?,?,?,?)"};
constexpr RowTable kTrackBlocks{"track_blocks", "INSERT INTO track_blocks VALUES(?,?)"};
constexpr RowTable kTileLevels{"tile_level", "INSERT INTO tile_level VALUES(?,?,?,?,?,?)"};
constexpr RowTable kTiles{"tile", "INSERT INTO tile VALUES(?,?)"};

template <class Row>
std::vector<std::span<const Row>> inBatches(std::span<const Row> rows) {
    std::vector<std::span<const Row>> batches;
    for (std::size_t at = 0; at < rows.size(); at += kBatchRows)
        batches.push_back(rows.subspan(at, std::min(kBatchRows, rows.size() - at)));
    return batches;
}

std::optional<std::string> dimensions(const std::optional<std::array<std::int64_t, 3>> &values) {
    if (!values)
        return std::nullopt;
    return std::to_string((*values)[0]) + "," + std::to_string((*values)[1]) + "," + std::to_string((*values)[2]);
}

std::span<const std::byte> bytesOf(const std::string &text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::optional<std::int64_t> unlessZero(std::int64_t value) {
    return value == 0 ? std::nullopt : std::optional(value);
}

Status appendGpuOps(RowTarget &target, std::span<const GpuOpRow> operations) {
    auto rows = target.rows(kGpuOps);
    if (!rows)
        return passOn(rows);
    IndexAppender byLaunch = target.index("gpu_op_launch");
    for (const GpuOpRow &row : operations) {
        const auto grid = dimensions(row.grid);
        const auto block = dimensions(row.block);
        if (!rows->append(row.slice.value, static_cast<int>(row.activity), row.device, row.stream,
                          unlessZero(row.correlation), grid, block, row.occupancy, row.bytes, row.flops,
                          static_cast<int>(row.copyKind), row.launch))
            return rows->status();
        if (row.launch.valid())
            byLaunch.append(row.launch, row.slice.value);
    }
    return {};
}

Status appendFlows(RowTarget &target, std::int64_t firstId, std::span<const FlowRow> flows) {
    auto rows = target.rows(kFlows);
    if (!rows)
        return passOn(rows);
    IndexAppender byFrom = target.index("flow_from"), byTo = target.index("flow_to");
    for (const FlowRow &row : flows) {
        const std::int64_t id = firstId++;
        if (!rows->append(id, row.from, row.to, row.name, row.category))
            return rows->status();
        byFrom.append(row.from, id);
        byTo.append(row.to, id);
    }
    return {};
}

Status appendSamples(RowTarget &target, std::int64_t firstId, std::span<const Sample> samples) {
    auto rows = target.rows(kSamples);
    if (!rows)
        return passOn(rows);
    for (const Sample &sample : samples) {
        if (!rows->append(firstId++, sample.ts, sample.value))
            return rows->status();
    }
    return {};
}

Status appendSlices(RowTarget &target, TrackId track, std::span<const SliceRow> slices) {
    auto rows = target.rows(kSlices);
    if (!rows)
        return passOn(rows);
    for (const SliceRow &s : slices) {
        if (!rows->append(s.id.value, track, s.ts, s.dur, s.depth, s.lane, s.row, s.parent, s.name, s.category,
                          std::int32_t{flagsOf(s)}, s.args))
            return rows->status();
    }
    return {};
}

std::vector<std::string> packedBlocks(std::span<const SliceRow> slices) {
    std::vector<std::string> blocks;
    for (std::size_t at = 0; at < slices.size(); at += kBlockRows)
        blocks.push_back(packSliceColumns(slices.subspan(at, std::min(kBlockRows, slices.size() - at))));
    return blocks;
}

// Ids from `id` on, `step` apart.
Status appendBlobs(RowTarget &target, const RowTable &table, std::int64_t id, std::int64_t step,
                   const std::vector<std::string> &blobs) {
    auto rows = target.rows(table);
    if (!rows)
        return passOn(rows);
    for (const std::string &blob : blobs) {
        if (!rows->append(id, bytesOf(blob)))
            return rows->status();
        id += step;
    }
    return {};
}

// One row alone.
template <class... Values>
Status appendRow(RowTarget &target, const RowTable &table, std::int64_t id, const Values &...values) {
    auto rows = target.rows(table);
    if (!rows)
        return passOn(rows);
    return rows->append(id, values...) ? Status() : rows->status();
}

}  // namespace

Status ImportWriter::writeTrackSlices(TrackId track, std::span<SliceRow> slices,
                                      std::span<const std::int32_t> parentIndex) {
    TrackRecord *record = tracks_.find(track.value);
    if (record == nullptr || slices.empty() || record->lastId >= record->firstId)
        return slices.empty() ? Status() : Status(failure("slices of one track were written twice"));
    const std::int64_t first = last(Series::Slice) + 1;
    last(Series::Slice) += static_cast<std::int64_t>(slices.size());
    TimeRange extent{slices.front().ts, slices.front().ts};
    std::int32_t rows = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        SliceRow &slice = slices[i];
        slice.id = SliceId{first + static_cast<std::int64_t>(i)};
        slice.track = track;
        slice.parent = parentIndex[i] < 0 ? SliceId{} : SliceId{first + parentIndex[i]};
        extent.end = std::max(extent.end, slice.ts + slice.dur);
        rows = std::max(rows, slice.row + 1);
    }
    record->firstId = first;
    record->lastId = last(Series::Slice);
    record->extent = extent;
    record->row.rowCount = rows;
    SliceTileBuilder tiles(slices, extent);
    for (const auto batch : inBatches(std::span<const SliceRow>(slices))) {
        queue_->pushRows([track, copy = std::vector<SliceRow>(batch.begin(), batch.end()),
                          blocks = packedBlocks(batch)](RowTarget &target) {
            Status status = appendSlices(target, track, copy);
            return status ? appendBlobs(target, kSliceBlocks, copy.front().id.value, kSlicesPerBlock, blocks)
                          : status;
        });
        tiles.add(batch);
    }
    if (slices.size() > kBlockRows) {
        queue_->pushRows([track, blocks = packBlocks(slices)](RowTarget &target) {
            return appendRow(target, kTrackBlocks, track.value, bytesOf(blocks));
        });
    }
    pushLevels(track.value, TileOwner::Track, tiles.finish());
    return queue_->status();
}

void ImportWriter::pushLevels(std::int64_t owner, TileOwner kind, std::vector<PackedLevel> levels) {
    for (PackedLevel &level : levels) {
        const std::int64_t id = ++last(Series::TileLevel);
        const std::int64_t first = last(Series::Tile) + 1;
        last(Series::Tile) += static_cast<std::int64_t>(level.tiles.size());
        for (std::size_t at = 0; at < level.tiles.size(); at += kTilesPerBatch) {
            const auto begin = level.tiles.begin() + static_cast<std::ptrdiff_t>(at);
            const auto count = static_cast<std::ptrdiff_t>(std::min(kTilesPerBatch, level.tiles.size() - at));
            std::vector<std::string> tiles(std::make_move_iterator(begin), std::make_move_iterator(begin + count));
            queue_->pushRows([id = first + static_cast<std::int64_t>(at), tiles = std::move(tiles)](
                                 RowTarget &target) { return appendBlobs(target, kTiles, id, 1, tiles); });
        }
        queue_->pushRows([=, bucket = level.bucket, directory = std::move(level.directory)](RowTarget &target) {
            return appendRow(target, kTileLevels, id, owner, static_cast<int>(kind), bucket, first,
                             bytesOf(directory));
        });
    }
}

Status ImportWriter::writeGpuOps(std::span<const GpuOpRow> rows) {
    for (const auto batch : inBatches(rows)) {
        queue_->pushRows([copy = std::vector<GpuOpRow>(batch.begin(), batch.end())](RowTarget &target) {
            return appendGpuOps(target, copy);
        });
    }
    return queue_->status();
}

// Rows that need nothing but numbers of their own, one behind the other.
template <class Row, class Append>
void ImportWriter::pushNumbered(Series series, const RowTable &table, std::span<const Row> rows, Append append) {
    for (const auto batch : inBatches(rows)) {
        const std::int64_t first = last(series) + 1;
        last(series) += static_cast<std::int64_t>(batch.size());
        queue_->pushRows([first, &table, append,
                          copy = std::vector<Row>(batch.begin(), batch.end())](RowTarget &target) -> Status {
            auto appender = target.rows(table);
            if (!appender)
                return passOn(appender);
            std::int64_t id = first;
            for (const Row &row : copy) {
                if (!append(*appender, id++, row))
                    return appender->status();
            }
            return {};
        });
    }
}

Status ImportWriter::writeFlows(std::span<const FlowRow> rows) {
    for (const auto batch : inBatches(rows)) {
        const std::int64_t first = last(Series::Flow) + 1;
        last(Series::Flow) += static_cast<std::int64_t>(batch.size());
        queue_->pushRows([first, copy = std::vector<FlowRow>(batch.begin(), batch.end())](RowTarget &target) {
            return appendFlows(target, first, copy);
        });
    }
    return queue_->status();
}

Status ImportWriter::writeSamples(CounterId counter, std::span<const Sample> samples) {
    CounterRecord *record = counters_.find(counter.value);
    if (record == nullptr || samples.empty() || record->lastId >= record->firstId)
        return samples.empty() ? Status() : Status(failure("samples of one counter were written twice"));
    record->firstId = last(Series::Sample) + 1;
    record->lastId = last(Series::Sample) += static_cast<std::int64_t>(samples.size());
    record->extent = {samples.front().ts, samples.back().ts};
    record->period = medianDistance(samples);
    const auto [low, high] = std::minmax_element(
        samples.begin(), samples.end(), [](const Sample &a, const Sample &b) { return a.value < b.value; });
    record->row.minValue = low->value;
    record->row.maxValue = high->value;
    std::int64_t first = record->firstId;
    for (const auto batch : inBatches(samples)) {
        queue_->pushRows([first, copy = std::vector<Sample>(batch.begin(), batch.end())](RowTarget &target) {
            return appendSamples(target, first, copy);
        });
        first += static_cast<std::int64_t>(batch.size());
    }
    pushLevels(counter.value, TileOwner::Counter, buildSampleTiles(samples, record->period));
    return queue_->status();
}

Status ImportWriter::writeThreadStates(std::span<const ThreadStateRow> rows) {
    pushNumbered(Series::ThreadState, kThreadStates, rows,
                 [](RowAppender &to, std::int64_t id, const ThreadStateRow &row) {
                     const auto cpu = row.cpu < 0 ? std::nullopt : std::optional(row.cpu);
                     return to.append(id, row.thread, row.ts, row.dur, static_cast<int>(row.state), cpu);
                 });
    return queue_->status();
}

Status ImportWriter::writeRequests(SourceId source, std::span<const RequestRow> rows) {
    pushNumbered(
        Series::Request, kRequests, rows, [source](RowAppender &to, std::int64_t id, const RequestRow &row) {
            return to.append(id, source, row.name, row.ts, row.dur, row.units, row.ok ? 1 : 0, row.attributesJson);
        });
    return queue_->status();
}

Status ImportWriter::writeQuality(SourceId source, std::span<const QualityRow> rows) {
    pushNumbered(Series::Quality, kQualityValues, rows,
                 [source](RowAppender &to, std::int64_t id, const QualityRow &row) {
                     return to.append(id, source, row.metric, row.slice, row.value, row.threshold,
                                      row.higherIsBetter ? 1 : 0);
                 });
    return queue_->status();
}

}  // namespace wattproof::store
