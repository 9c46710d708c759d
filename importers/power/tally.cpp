#include "importers/power/tally.h"

#include <utility>

namespace wattproof::importers {

void Tally::add(std::string_view kind, std::uint64_t line, std::string_view message, std::int64_t count) {
    auto it = entries_.find(kind);
    if (it == entries_.end())
        it = entries_.emplace(std::string(kind), Entry{0, line, std::string(message)}).first;
    it->second.count += count;
}

void Tally::explain(std::string_view kind, std::string message) {
    if (const auto it = entries_.find(kind); it != entries_.end())
        it->second.message = std::move(message);
}

std::int64_t Tally::count(std::string_view kind) const {
    const auto it = entries_.find(kind);
    return it == entries_.end() ? 0 : it->second.count;
}

void Tally::write(store::BulkWriter &writer, SourceId source, Summary &summary) const {
    for (const auto &[kind, entry] : entries_) {
        WarningRow row{source, kind, entry.count, {}, entry.message};
        if (entry.line > 0)
            row.firstPosition = "line " + std::to_string(entry.line);
        writer.addWarning(row);
        summary.warnings.push_back(std::move(row));
    }
}

}  // namespace wattproof::importers
