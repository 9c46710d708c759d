// The order of records by (key, ts, offset, place in the list), as indices: the records stay where they are. Of no use
// once the stop was requested.
#pragma once

#include "importers/trace/chunk_list.h"
#include "store/stoppable_sort.h"
#include "store/time.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <stop_token>
#include <tuple>
#include <vector>

namespace wattproof::importers {

namespace detail {

// What tells two records of one key apart, beside each other in memory.
struct SortPlace {
    Ns ts;
    std::uint64_t offset;
    std::uint32_t index;
    bool operator<(const SortPlace &o) const { return std::tie(ts, offset, index) < std::tie(o.ts, o.offset, o.index); }
};

// The indices of one key, which come in order of pushing.
template <class Record>
void sortOfOneKey(const ChunkList<Record> &records, std::span<std::uint32_t> indices, std::vector<SortPlace> &places,
                  const std::stop_token &stop) {
    places.clear();
    places.reserve(indices.size());
    for (const std::uint32_t index : indices)
        places.push_back({records[index].ts, records[index].offset, index});
    if (std::is_sorted(places.begin(), places.end()) ||
        !store::sortUnlessStopped(places.begin(), places.end(), stop))
        return;
    for (std::size_t i = 0; i < places.size(); ++i)
        indices[i] = places[i].index;
}

// Keys that count something (tracks, counters): one pass lays the records of each key together.
template <class Record>
std::vector<std::uint32_t> orderOfDenseKeys(const ChunkList<Record> &records, std::uint64_t first, std::size_t keys,
                                            const std::stop_token &stop) {
    std::vector<std::uint32_t> ends(keys + 1);
    for (std::size_t i = 0; i < records.size(); ++i)
        ++ends[static_cast<std::size_t>(records[i].key - first) + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    if (stop.stop_requested())
        return {};
    std::vector<std::uint32_t> order(records.size());
    for (std::size_t i = 0; i < records.size(); ++i)
        order[ends[static_cast<std::size_t>(records[i].key - first)]++] = static_cast<std::uint32_t>(i);
    std::vector<SortPlace> places;
    std::size_t begin = 0;
    for (std::size_t key = 0; key < keys && !stop.stop_requested(); begin = ends[key++])
        sortOfOneKey(records, std::span(order).subspan(begin, ends[key] - begin), places, stop);
    return order;
}

// Keys that are hashes.
template <class Record>
std::vector<std::uint32_t> orderOfAnyKeys(const ChunkList<Record> &records, const std::stop_token &stop) {
    std::vector<std::pair<std::uint64_t, SortPlace>> places;
    places.reserve(records.size());
    for (std::size_t i = 0; i < records.size(); ++i)
        places.push_back({records[i].key, {records[i].ts, records[i].offset, static_cast<std::uint32_t>(i)}});
    std::vector<std::uint32_t> order;
    if (!store::sortUnlessStopped(places.begin(), places.end(), stop))
        return order;
    order.reserve(places.size());
    for (const auto &place : places)
        order.push_back(place.second.index);
    return order;
}

}  // namespace detail

// Bytes that sorting takes for each record, beside it.
inline constexpr std::size_t kSortBytes = sizeof(std::uint64_t) + sizeof(detail::SortPlace) + sizeof(std::uint32_t);

template <class Record>
[[nodiscard]] std::vector<std::uint32_t> sortOrder(const ChunkList<Record> &records, const std::stop_token &stop = {}) {
    if (records.empty())
        return {};
    std::uint64_t first = records[0].key, last = first;
    for (std::size_t i = 1; i < records.size(); ++i) {
        first = std::min<std::uint64_t>(first, records[i].key);
        last = std::max<std::uint64_t>(last, records[i].key);
    }
    if (last - first < 2 * std::uint64_t{records.size()} + 1024)
        return detail::orderOfDenseKeys(records, first, static_cast<std::size_t>(last - first) + 1, stop);
    return detail::orderOfAnyKeys(records, stop);
}

}  // namespace wattproof::importers
