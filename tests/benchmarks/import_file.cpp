#include "tests/benchmarks/import_file.h"

#include <cstdio>
#include <filesystem>

namespace wattproof::bench {

std::int64_t importFile(const std::string &file, const std::string &workspace, std::int64_t importers::Summary::*count) {
    std::filesystem::remove(workspace);
    const auto summary = importers::importToNew({file}, workspace, {}, {});
    if (!summary) {
        std::fprintf(stderr, "%s\n", summary.error().sentence().c_str());
        return -1;
    }
    std::int64_t sum = 0;
    for (const importers::Summary &one : summary->files)
        sum += one.*count;
    return sum;
}

}  // namespace wattproof::bench
