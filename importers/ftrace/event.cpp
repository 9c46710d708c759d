#include "importers/ftrace/event.h"

#include <charconv>

namespace wattproof::importers::ftrace {

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
        if (error != std::errc{} || end != text.data() + text.size())
            return std::nullopt;
        return static_cast<std::int64_t>(value);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

const Field *FtraceEvent::find(std::string_view key) const {
    for (std::size_t i = 0; i < fieldCount; ++i)
        if (fields[i].key == key)
            return &fields[i];
    return nullptr;
}

std::optional<std::int64_t> FtraceEvent::number(std::string_view key) const {
    const Field *field = find(key);
    if (!field)
        return std::nullopt;
    return field->isText ? wholeNumber(field->text) : field->number;
}

std::string_view FtraceEvent::text(std::string_view key) const {
    const Field *field = find(key);
    return field && field->isText ? field->text : std::string_view();
}

}  // namespace wattproof::importers::ftrace
