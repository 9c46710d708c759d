// The ids of the texts that fit a search: looked up for every slice of a scan.
#pragma once

#include "store/result.h"
#include "store/sqlite/database.h"

#include <string_view>
#include <vector>

namespace wattproof::store {

class NameSet {
public:
    // Texts that contain `part`, without regard to the case of ASCII letters.
    [[nodiscard]] static Expected<NameSet> containing(const sqlite::Database &, std::string_view part);
    // Texts that match a glob of '*' and '?'.
    [[nodiscard]] static Expected<NameSet> matching(const sqlite::Database &, std::string_view glob);
    [[nodiscard]] static Expected<NameSet> of(const sqlite::Database &, const std::vector<std::string> &texts);

    [[nodiscard]] bool empty() const { return bits_.empty(); }
    [[nodiscard]] bool has(std::int64_t id) const {
        return static_cast<std::size_t>(id) < bits_.size() && bits_[static_cast<std::size_t>(id)];
    }

private:
    Status addAll(sqlite::Statement &statement);
    std::vector<bool> bits_;
};

}  // namespace wattproof::store
