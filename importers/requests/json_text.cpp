#include "importers/requests/json_text.h"

#include <array>
#include <charconv>

namespace wattproof::importers::requests {

std::string textOf(const JsonValue &value) {
    std::array<char, 400> text{};
    switch (value.kind) {
        case JsonValue::Kind::Text:
            return value.text;
        case JsonValue::Kind::Bool:
            return value.integer != 0 ? "true" : "false";
        case JsonValue::Kind::Integer:
            return std::to_string(value.integer);
        case JsonValue::Kind::Natural:
        case JsonValue::Kind::Real: {
            const auto [end, error] =
                std::to_chars(text.data(), text.data() + text.size(), value.real, std::chars_format::fixed);
            return error == std::errc{} ? std::string(text.data(), end) : std::string();
        }
        case JsonValue::Kind::Null:
            break;
    }
    return {};
}

}  // namespace wattproof::importers::requests
