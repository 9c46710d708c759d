// Rows with times: slices, GPU operations, flows, samples, states, requests, quality.
#include "store/tiles/sample_tiles.h"
#include "store/tiles/slice_tiles.h"
#include "store/tiles/track_blocks.h"
#include "store/writer/import_writer.h"

#include <algorithm>

namespace wattproof::store {
namespace {

constexpr std::size_t kBatchRows = 8192;
constexpr std::size_t kTilesPerBatch = 64;

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

Status insertGpuOps(Inserts &inserts, const std::vector<GpuOpRow> &rows) {
    auto statement = inserts.prepared("INSERT OR REPLACE INTO gpu_op VALUES(?,?,?,?,?,?,?,?,?,?,?,?)");
    if (!statement)
        return passOn(statement);
    for (const GpuOpRow &row : rows) {
        const auto grid = dimensions(row.grid);
        const auto block = dimensions(row.block);
        (*statement)
            ->bindAll(row.slice, static_cast<int>(row.activity), row.device, row.stream,
                      unlessZero(row.correlation), grid, block, row.occupancy, row.bytes, row.flops,
                      static_cast<int>(row.copyKind), row.launch);
        if (!(*statement)->run())
            return (*statement)->status();
    }
    return {};
}

Status insertSamples(Inserts &inserts, std::int64_t firstId, std::span<const Sample> samples) {
    auto statement = inserts.prepared("INSERT INTO sample VALUES(?, ?, ?)");
    if (!statement)
        return passOn(statement);
    for (const Sample &sample : samples) {
        if (!(*statement)->bindAll(firstId++, sample.ts, sample.value).run())
            return (*statement)->status();
    }
    return {};
}

// Half of the distances are shorter, half longer.
Ns medianDistance(std::span<const Sample> samples) {
    if (samples.size() < 3)
        return 0;
    std::vector<Ns> distances(samples.size() - 1);
    for (std::size_t i = 0; i + 1 < samples.size(); ++i)
        distances[i] = samples[i + 1].ts - samples[i].ts;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return *middle;
}

Status insertSlices(Inserts &inserts, TrackId track, std::span<const SliceRow> slices) {
    auto prepared = inserts.prepared("INSERT INTO slice VALUES(?,?,?,?,?,?,?,?,?,?,?,?)");
    if (!prepared)
        return passOn(prepared);
    for (const SliceRow &s : slices) {
        const int flags = static_cast<int>(s.state) + 4 * static_cast<int>(s.kind);
        (*prepared)->bindAll(s.id, track, s.ts, s.dur, s.depth, s.lane, s.row, s.parent, s.name, s.category, flags,
                             s.args);
        if (!(*prepared)->run())
            return (*prepared)->status();
    }
    return {};
}

Status insertTiles(Inserts &inserts, std::int64_t firstId, const std::vector<std::string> &tiles) {
    for (const std::string &tile : tiles) {
        if (Status status = inserts.run("INSERT INTO tile VALUES(?, ?)", firstId++, bytesOf(tile)); !status)
            return status;
    }
    return {};
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
    for (const auto batch : inBatches(std::span<const SliceRow>(slices)))
        queue_->push([track, batch](Inserts &inserts) { return insertSlices(inserts, track, batch); });
    if (slices.size() > static_cast<std::size_t>(kSlicesPerBlock)) {
        queue_->push([track, blocks = packBlocks(slices)](Inserts &inserts) {
            return inserts.run("INSERT INTO track_blocks VALUES(?, ?)", track, bytesOf(blocks));
        });
    }
    pushLevels(track.value, TileOwner::Track, buildSliceTiles(slices, extent));
    return queue_->flush();
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
            queue_->push([id = first + static_cast<std::int64_t>(at), tiles = std::move(tiles)](Inserts &inserts) {
                return insertTiles(inserts, id, tiles);
            });
        }
        queue_->push([=, bucket = level.bucket, directory = std::move(level.directory)](Inserts &inserts) {
            return inserts.run("INSERT INTO tile_level VALUES(?, ?, ?, ?, ?, ?)", id, owner,
                               static_cast<int>(kind), bucket, first, bytesOf(directory));
        });
    }
}

Status ImportWriter::writeGpuOps(std::span<const GpuOpRow> rows) {
    for (const auto batch : inBatches(rows)) {
        queue_->push([copy = std::vector<GpuOpRow>(batch.begin(), batch.end())](Inserts &inserts) {
            return insertGpuOps(inserts, copy);
        });
    }
    return queue_->status();
}

Status ImportWriter::writeFlows(std::span<const FlowRow> rows) {
    for (const auto batch : inBatches(rows)) {
        const std::int64_t first = last(Series::Flow) + 1;
        last(Series::Flow) += static_cast<std::int64_t>(batch.size());
        queue_->push([first, copy = std::vector<FlowRow>(batch.begin(), batch.end())](Inserts &inserts) -> Status {
            std::int64_t id = first;
            for (const FlowRow &row : copy) {
                Status status = inserts.run("INSERT INTO flow VALUES(?, ?, ?, ?, ?)", id++, row.from, row.to,
                                            row.name, row.category);
                if (!status)
                    return status;
            }
            return {};
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
        queue_->push([first, batch](Inserts &inserts) { return insertSamples(inserts, first, batch); });
        first += static_cast<std::int64_t>(batch.size());
    }
    pushLevels(counter.value, TileOwner::Counter, buildSampleTiles(samples, record->period));
    return queue_->flush();
}

Status ImportWriter::writeThreadStates(std::span<const ThreadStateRow> rows) {
    for (const auto batch : inBatches(rows)) {
        const std::int64_t first = last(Series::ThreadState) + 1;
        last(Series::ThreadState) += static_cast<std::int64_t>(batch.size());
        queue_->push(
            [first, copy = std::vector<ThreadStateRow>(batch.begin(), batch.end())](Inserts &inserts) -> Status {
                std::int64_t id = first;
                for (const ThreadStateRow &row : copy) {
                    const auto cpu = row.cpu < 0 ? std::nullopt : std::optional(row.cpu);
                    Status status = inserts.run("INSERT INTO thread_state VALUES(?, ?, ?, ?, ?, ?)", id++,
                                                row.thread, row.ts, row.dur, static_cast<int>(row.state), cpu);
                    if (!status)
                        return status;
                }
                return {};
            });
    }
    return queue_->status();
}

Status ImportWriter::writeRequests(SourceId source, std::span<const RequestRow> rows) {
    for (const auto batch : inBatches(rows)) {
        const std::int64_t first = last(Series::Request) + 1;
        last(Series::Request) += static_cast<std::int64_t>(batch.size());
        queue_->push([source, first,
                      copy = std::vector<RequestRow>(batch.begin(), batch.end())](Inserts &inserts) -> Status {
            std::int64_t id = first;
            for (const RequestRow &row : copy) {
                Status status =
                    inserts.run("INSERT INTO request VALUES(?, ?, ?, ?, ?, ?, ?, ?)", id++, source, row.name,
                                row.ts, row.dur, row.units, row.ok ? 1 : 0, row.attributesJson);
                if (!status)
                    return status;
            }
            return {};
        });
    }
    return queue_->status();
}

Status ImportWriter::writeQuality(SourceId source, std::span<const QualityRow> rows) {
    for (const auto batch : inBatches(rows)) {
        const std::int64_t first = last(Series::Quality) + 1;
        last(Series::Quality) += static_cast<std::int64_t>(batch.size());
        queue_->push([source, first,
                      copy = std::vector<QualityRow>(batch.begin(), batch.end())](Inserts &inserts) -> Status {
            std::int64_t id = first;
            for (const QualityRow &row : copy) {
                Status status =
                    inserts.run("INSERT INTO quality_value VALUES(?, ?, ?, ?, ?, ?, ?)", id++, source, row.metric,
                                row.slice, row.value, row.threshold, row.higherIsBetter ? 1 : 0);
                if (!status)
                    return status;
            }
            return {};
        });
    }
    return queue_->status();
}

}  // namespace wattproof::store
