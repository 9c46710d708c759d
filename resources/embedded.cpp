#include "resources/embedded.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace wattproof::resources {
namespace {

struct Entry {
    std::string_view path;
    const char *begin;
    const char *end;
};

#include "table.inc"

std::optional<std::string> readFile(const std::filesystem::path &path) {
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), {});
}

void addUserFiles(std::string_view folder, std::map<std::string, File> &files) {
    const std::string config = configFolder();
    if (config.empty())
        return;
    const std::filesystem::path root(config);
    std::error_code error;
    auto it = std::filesystem::recursive_directory_iterator(root / folder, error);
    for (; !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
        if (!it->is_regular_file(error) || it->path().extension() != ".json")
            continue;
        const std::string path = std::filesystem::relative(it->path(), root, error).generic_string();
        if (auto content = readFile(it->path()))
            files[path] = {path, it->path().string(), std::move(*content)};
    }
}

}  // namespace

std::optional<std::string_view> builtIn(std::string_view path) {
    for (const Entry &entry : kEntries)
        if (entry.path == path)
            return std::string_view(entry.begin, static_cast<std::size_t>(entry.end - entry.begin));
    return std::nullopt;
}

std::vector<std::string> builtInBelow(std::string_view folder) {
    std::map<std::string, bool> paths;
    for (const Entry &entry : kEntries)
        if (entry.path.starts_with(folder))
            paths[std::string(entry.path)] = true;
    std::vector<std::string> sorted;
    for (const auto &[path, unused] : paths)
        sorted.push_back(path);
    return sorted;
}

std::string configFolder() {
    if (const char *xdg = std::getenv("XDG_CONFIG_HOME"); xdg && *xdg)
        return std::string(xdg) + "/wattproof";
    if (const char *home = std::getenv("HOME"); home && *home)
        return std::string(home) + "/.config/wattproof";
    return {};
}

std::vector<File> load(std::string_view folder) {
    std::map<std::string, File> files;
    for (const std::string &path : builtInBelow(folder))
        files[path] = {path, "built in", std::string(*builtIn(path))};
    addUserFiles(folder, files);
    std::vector<File> sorted;
    for (auto &[path, file] : files)
        sorted.push_back(std::move(file));
    return sorted;
}

}  // namespace wattproof::resources
