// A kernel event while it waits to be put in order of time, and the texts it refers to.
#pragma once

#include "importers/ftrace/kinds.h"
#include "store/bulk_writer.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wattproof::importers::ftrace {

using TextId = std::uint32_t;  // 0: empty

struct Record {
    std::uint32_t key = 0;  // for the sorter: one group
    Kind kind = Kind::Unknown;
    std::int16_t cpu = -1;
    std::int32_t tid = 0, tgid = 0;
    TextId comm = 0;
    std::array<TextId, kTexts> texts{};
    std::array<std::int64_t, kNumbers> numbers{};
    Ns ts = 0;
    std::uint64_t offset = 0;
};

// Each distinct text once.
class Texts {
public:
    explicit Texts(store::BulkWriter &writer) : writer_(writer) { entries_.emplace_back(); }

    [[nodiscard]] TextId put(std::string_view text);
    [[nodiscard]] std::string_view get(TextId id) const { return entries_[id].text; }
    // Interned in the workspace at first use.
    [[nodiscard]] StringId stringId(TextId id);

private:
    struct Entry {
        std::string text;
        StringId interned;
    };
    store::BulkWriter &writer_;
    std::deque<Entry> entries_;
    std::unordered_map<std::string_view, TextId> ids_;
};

}  // namespace wattproof::importers::ftrace
