// Files of resources/ carried inside the program, and the user's own that stand beside or instead of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::resources {

struct File {
    std::string path;     // relative to resources/, e.g. "power/nvidia_smi_query.json"
    std::string origin;   // "built in", or the full path of the user's file: for messages
    std::string content;
};

// The bytes of a built-in file; empty when there is none of that path.
[[nodiscard]] std::optional<std::string_view> builtIn(std::string_view path);

// Paths of the built-in files below a folder ("power/"), sorted.
[[nodiscard]] std::vector<std::string> builtInBelow(std::string_view folder);

// The user's configuration folder ($XDG_CONFIG_HOME/wattproof, else ~/.config/wattproof); empty when neither is set.
[[nodiscard]] std::string configFolder();

// All files below a folder: the built-in ones, each replaced by the user's file of the same path where that exists,
// then the user's additional ones. Sorted by path.
[[nodiscard]] std::vector<File> load(std::string_view folder);

}  // namespace wattproof::resources
