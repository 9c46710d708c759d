#include "importers/ftrace/record.h"

#include "importers/text/mended.h"

namespace wattproof::importers::ftrace {

TextId Texts::put(std::string_view text) {
    if (text.empty())
        return 0;
    const auto found = ids_.find(text);
    if (found != ids_.end())
        return found->second;
    std::string clean = mendedText(text);
    if (clean != text)
        return put(clean);
    const auto id = static_cast<TextId>(entries_.size());
    entries_.push_back({std::move(clean), StringId()});
    ids_.emplace(entries_.back().text, id);
    return id;
}

StringId Texts::stringId(TextId id) {
    Entry &entry = entries_[id];
    if (!entry.interned.valid())
        entry.interned = writer_.intern(entry.text);
    return entry.interned;
}

}  // namespace wattproof::importers::ftrace
