#include "importers/trace/launch_linker.h"

#include "store/stoppable_sort.h"

#include <algorithm>
#include <cstring>

namespace wattproof::importers {
namespace {

constexpr std::size_t kBatch = 2048;

template <class T>
void appendBytes(std::string &key, const T &value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    key.append(bytes, sizeof(T));
}

template <class T>
void appendOptional(std::string &key, const std::optional<T> &value) {
    key += value ? '1' : '0';
    if (value)
        appendBytes(key, *value);
}

// The bytes that tell two geometries apart.
std::string shapeKey(const GpuOpRow &op) {
    std::string key;
    key += static_cast<char>(op.activity);
    key += static_cast<char>(op.copyKind);
    appendBytes(key, op.device.value);
    appendOptional(key, op.grid);
    appendOptional(key, op.block);
    appendOptional(key, op.occupancy);
    appendOptional(key, op.bytes);
    appendOptional(key, op.flops);
    return key + op.stream;
}

}  // namespace

std::uint32_t LaunchLinker::addOperation(const GpuOpRow &op, std::int64_t correlation, std::int64_t externalId) {
    const auto [found, added] = shapeIds_.try_emplace(shapeKey(op), static_cast<std::uint32_t>(shapes_.size()));
    if (added)
        shapes_.push_back(op);
    operations_.push_back({correlation, externalId, 0, 0, 0, found->second});
    return static_cast<std::uint32_t>(operations_.size() - 1);
}

std::uint32_t LaunchLinker::addLaunch(std::int64_t correlation, std::int64_t externalId) {
    launches_.push_back({correlation, externalId, 0, 0});
    return static_cast<std::uint32_t>(launches_.size() - 1);
}

void LaunchLinker::placeOperation(std::uint32_t aux, const SliceRow &row, std::uint64_t offset) {
    operations_[aux].slice = row.id.value;
    operations_[aux].ts = row.ts;
    operations_[aux].offset = offset;
    written_.push_back(aux);
}

void LaunchLinker::placeLaunch(std::uint32_t aux, const SliceRow &row) {
    launches_[aux].slice = row.id.value;
    launches_[aux].ts = row.ts;
}

bool LaunchLinker::Index::make(const ChunkList<Launch> &launches, std::int64_t Launch::*id,
                               const std::stop_token &stop) {
    launches_ = &launches;
    for (std::uint32_t i = 0; i < launches.size(); ++i)
        if (launches[i].*id != 0 && launches[i].slice != 0)
            ids_.emplace_back(launches[i].*id, i);
    return store::sortUnlessStopped(ids_.begin(), ids_.end(), stop);
}

const LaunchLinker::Launch *LaunchLinker::Index::find(std::int64_t id) const {
    if (id == 0)
        return nullptr;
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), std::pair<std::int64_t, std::uint32_t>(id, 0));
    return found != ids_.end() && found->first == id ? &(*launches_)[found->second] : nullptr;
}

GpuOpRow LaunchLinker::rowOf(const Operation &operation, const Launch *launch) const {
    GpuOpRow row = shapes_[operation.shape];
    row.slice = SliceId(operation.slice);
    row.correlation = operation.correlation;
    row.launch = launch ? SliceId(launch->slice) : SliceId();
    return row;
}

void LaunchLinker::warn(const Operation &operation, const Launch *launch, WarningBook &warnings) const {
    if (!launch)
        warnings.add(
            "unlinked_kernel",
            "GPU operations whose launching call is not in the file: they count as GPU work, their cause is "
            "unknown.",
            operation.offset);
    else if (operation.ts < launch->ts)
        warnings.add("kernel_before_launch",
                     "GPU operations that start before the call that launched them: the clocks of host and device "
                     "differ. They are linked all the same.",
                     operation.offset);
}

bool LaunchLinker::makeIndexes(const std::stop_token &stop) {
    return byCorrelation_.make(launches_, &Launch::correlation, stop) &&
           byExternalId_.make(launches_, &Launch::externalId, stop);
}

Expected<LinkCounts> LaunchLinker::write(store::BulkWriter &writer, WarningBook &warnings) {
    LinkCounts counts;
    std::vector<GpuOpRow> batch;
    for (const std::uint32_t index : written_) {
        const Operation &operation = operations_[index];
        const Launch *launch = byCorrelation_.find(operation.correlation);
        if (operation.correlation == 0 || byCorrelation_.empty())
            launch = byExternalId_.find(operation.externalId);
        warn(operation, launch, warnings);
        counts.operations += 1;
        counts.links += launch ? 1 : 0;
        batch.push_back(rowOf(operation, launch));
        if (batch.size() == kBatch) {
            if (auto status = writer.writeGpuOps(batch); !status)
                return passOn(status);
            batch.clear();
        }
    }
    if (auto status = writer.writeGpuOps(batch); !status)
        return passOn(status);
    return counts;
}

}  // namespace wattproof::importers
