#include "tests/benchmarks/measure.h"

#include <chrono>
#include <cstdio>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wattproof::bench {

namespace {

struct Message {
    double seconds = 0;
    std::int64_t count = -1;
};

[[noreturn]] void runChild(int pipe, const std::function<std::int64_t()> &work) {
    const auto start = std::chrono::steady_clock::now();
    Message message;
    message.count = work();
    message.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool told = write(pipe, &message, sizeof message) == static_cast<ssize_t>(sizeof message);
    _exit(told ? 0 : 1);
}

double secondsOf(const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

Measured measure(const std::function<std::int64_t()> &work) {
    int ends[2];
    if (pipe(ends) != 0)
        return {};
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0)
        runChild(ends[1], work);
    close(ends[1]);
    Message message;
    const bool told = child > 0 && read(ends[0], &message, sizeof message) == static_cast<ssize_t>(sizeof message);
    close(ends[0]);
    rusage usage{};
    int status = 0;
    if (child > 0)
        wait4(child, &status, 0, &usage);
    Measured measured;
    measured.ok = told && status == 0 && message.count >= 0;
    measured.seconds = message.seconds;
    measured.cpuSeconds = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
    measured.peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    measured.count = message.count;
    return measured;
}

void printTable(const std::string &title, const std::vector<TableRow> &rows) {
    std::printf("\n%s\n%-56s %8s %8s %9s %12s %9s\n", title.c_str(), "", "s", "CPU s", "MB/s", "per second",
                "peak MiB");
    for (const TableRow &row : rows) {
        if (!row.measured.ok) {
            std::printf("%-56s   failed\n", row.program.c_str());
            continue;
        }
        const double seconds = row.measured.seconds;
        std::printf("%-56s %8.2f %8.2f ", row.program.c_str(), seconds, row.measured.cpuSeconds);
        if (row.bytes > 0)
            std::printf("%9.0f ", static_cast<double>(row.bytes) * 1e-6 / seconds);
        else
            std::printf("%9s ", "");
        std::printf("%12.0f %9.0f\n", static_cast<double>(row.measured.count) / seconds,
                    static_cast<double>(row.measured.peakBytes) / (1024 * 1024));
    }
    std::fflush(stdout);
}

}  // namespace wattproof::bench
