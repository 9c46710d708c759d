// Runs a piece of work in a process of its own, so that its peak memory is its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wattproof::bench {

struct Measured {
    bool ok = false;
    double seconds = 0;           // wall time of the work
    double cpuSeconds = 0;        // user and system, all threads
    std::uint64_t peakBytes = 0;  // resident, of the whole process
    std::int64_t count = 0;       // what the work returned
};

// The work returns a count (events, rows), or a negative number for failure.
[[nodiscard]] Measured measure(const std::function<std::int64_t()> &work);

struct TableRow {
    std::string program;
    Measured measured;
    std::uint64_t bytes = 0;  // of input; 0: MB/s means nothing here
};

void printTable(const std::string &title, const std::vector<TableRow> &rows);

}  // namespace wattproof::bench
