// Values by (guid, id): ids are unique only within the run that a guid stands for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace wattproof::importers::rocpd {

struct GlobalId {
    std::uint32_t run = 0;  // the guid's number
    std::int64_t id = 0;
    auto operator<=>(const GlobalId &) const = default;
};

// Filled first, then asked; of two values of one id the first counts.
template <class Value>
class IdTable {
public:
    void add(GlobalId id, Value value) {
        sorted_ = sorted_ && (rows_.empty() || rows_.back().first < id);
        rows_.emplace_back(id, std::move(value));
    }
    [[nodiscard]] const Value *find(GlobalId id) const {
        const auto found =
            std::partition_point(rows_.begin(), rows_.end(), [&id](const auto &row) { return row.first < id; });
        return found != rows_.end() && found->first == id ? &found->second : nullptr;
    }
    // After the last add().
    void settle() {
        if (!sorted_)
            std::stable_sort(rows_.begin(), rows_.end(),
                             [](const auto &a, const auto &b) { return a.first < b.first; });
        sorted_ = true;
    }

private:
    std::vector<std::pair<GlobalId, Value>> rows_;
    bool sorted_ = true;
};

}  // namespace wattproof::importers::rocpd
