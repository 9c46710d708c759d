// The ids of the texts that fit a search: looked up for every slice of a scan.
#pragma once

#include "store/result.h"
#include "store/sqlite/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace wattproof::store {

class NameSet {
public:
    // Texts that contain all parts, without regard to the case of ASCII letters.
    [[nodiscard]] static Expected<NameSet> containing(const sqlite::Database &, const std::vector<std::string> &parts);
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

// `text` for LIKE with '\\' as the escape: itself alone.
[[nodiscard]] std::string likeLiteral(std::string_view text);
// `column` contains each of `count` parameters, bound from number `first` on as likeAnywhere().
[[nodiscard]] std::string containsAll(const std::string &column, std::size_t count, int first = 1);
[[nodiscard]] std::string likeAnywhere(std::string_view part);

}  // namespace wattproof::store
