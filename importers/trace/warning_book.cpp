#include "importers/trace/warning_book.h"

#include <algorithm>

namespace wattproof::importers {

void WarningBook::add(std::string_view kind, std::string_view message, std::uint64_t byteOffset,
                      std::int64_t count) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [kind](const Entry &entry) { return entry.kind == kind; });
    if (found == entries_.end()) {
        entries_.push_back({std::string(kind), std::string(message), byteOffset, count});
        return;
    }
    found->count += count;
    found->firstOffset = std::min(found->firstOffset, byteOffset);
}

std::vector<WarningRow> WarningBook::rows(SourceId source) const {
    std::vector<WarningRow> rows;
    for (const Entry &entry : entries_)
        rows.push_back(
            {source, entry.kind, entry.count, unit_ + " " + std::to_string(entry.firstOffset), entry.message});
    return rows;
}

}  // namespace wattproof::importers
