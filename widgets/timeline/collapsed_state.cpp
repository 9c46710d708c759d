#include "widgets/timeline/collapsed_state.h"

#include <nlohmann/json.hpp>

namespace wattproof::widgets {

std::string collapsedToText(const std::set<std::string> &keys) {
    // Track names are bytes from outside: what is not UTF-8 is replaced, not thrown about.
    return nlohmann::json(keys).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<std::set<std::string>> collapsedFromText(const std::string &text) {
    const auto parsed = nlohmann::json::parse(text, nullptr, false);
    if (!parsed.is_array())
        return std::nullopt;
    std::set<std::string> keys;
    for (const auto &key : parsed)
        if (key.is_string())
            keys.insert(key.get<std::string>());
    return keys;
}

}  // namespace wattproof::widgets
