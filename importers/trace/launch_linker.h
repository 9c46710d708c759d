// GPU operations and the host calls that launched them: joined by correlation; by external id only where an
// operation has no correlation, or no call of the file has one (one operator can make several calls with its
// external id).
#pragma once

#include "importers/trace/chunk_list.h"
#include "importers/trace/event_record.h"
#include "importers/trace/warning_book.h"
#include "store/bulk_writer.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace wattproof::importers {

struct LinkCounts {
    std::int64_t operations = 0, links = 0;
};

class LaunchLinker {
public:
    // Index for EventRecord::aux. `op` need not carry slice, launch or correlation.
    [[nodiscard]] std::uint32_t addOperation(const GpuOpRow &op, std::int64_t correlation,
                                             std::int64_t externalId);
    [[nodiscard]] std::uint32_t addLaunch(std::int64_t correlation, std::int64_t externalId);

    // The slice that an operation or call became.
    void placeOperation(std::uint32_t aux, const SliceRow &, std::uint64_t offset);
    void placeLaunch(std::uint32_t aux, const SliceRow &);

    // When all are placed; on any thread, before write(). False when it was stopped.
    [[nodiscard]] bool makeIndexes(const std::stop_token &);
    [[nodiscard]] Expected<LinkCounts> write(store::BulkWriter &, WarningBook &);

private:
    struct Operation {
        std::int64_t correlation = 0, externalId = 0;
        std::int64_t slice = 0;
        Ns ts = 0;
        std::uint64_t offset = 0;
        std::uint32_t shape = 0;
    };
    struct Launch {
        std::int64_t correlation = 0, externalId = 0;
        std::int64_t slice = 0;
        Ns ts = 0;
    };
    // Launch calls by one of their ids, sorted; of several the first in the file counts.
    class Index {
    public:
        // False when it was stopped.
        [[nodiscard]] bool make(const ChunkList<Launch> &, std::int64_t Launch::*id, const std::stop_token &);
        [[nodiscard]] const Launch *find(std::int64_t id) const;
        [[nodiscard]] bool empty() const { return ids_.empty(); }

    private:
        const ChunkList<Launch> *launches_ = nullptr;
        std::vector<std::pair<std::int64_t, std::uint32_t>> ids_;
    };

    [[nodiscard]] GpuOpRow rowOf(const Operation &, const Launch *) const;
    void warn(const Operation &, const Launch *, WarningBook &) const;

    ChunkList<Operation> operations_;
    ChunkList<Launch> launches_;
    Index byCorrelation_, byExternalId_;
    std::vector<std::uint32_t> written_;  // operations in ascending order of slice
    // Operations repeat the same launch geometry: each distinct one is kept once.
    std::vector<GpuOpRow> shapes_;
    std::unordered_map<std::string, std::uint32_t> shapeIds_;
};

}  // namespace wattproof::importers
