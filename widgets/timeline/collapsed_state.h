// The set of collapsed tracks as text, to keep it in the workspace.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace wattproof::widgets {

[[nodiscard]] std::string collapsedToText(const std::set<std::string> &);
// None when the text is empty or not such a set.
[[nodiscard]] std::optional<std::set<std::string>> collapsedFromText(const std::string &);

}  // namespace wattproof::widgets
