// Warnings of one import: counted by kind, with the first line of each.
#pragma once

#include "importers/importer.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace wattproof::importers {

class Tally {
public:
    // line 0: no position. The message of the first one stays unless explain() replaces it.
    void add(std::string_view kind, std::uint64_t line, std::string_view message, std::int64_t count = 1);
    void explain(std::string_view kind, std::string message);
    [[nodiscard]] std::int64_t count(std::string_view kind) const;
    void write(store::BulkWriter &writer, SourceId source, Summary &summary) const;

private:
    struct Entry {
        std::int64_t count = 0;
        std::uint64_t line = 0;
        std::string message;
    };
    std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace wattproof::importers
