#include "tests/benchmarks/responses.h"

#include "importers/session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

namespace wattproof::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Of the time that the whole import takes: while it reads, while it orders and writes, and near its end.
constexpr double kMoments[] = {0.02, 0.3, 0.6, 0.7, 0.8, 0.9, 0.97};

double seconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

Expected<importers::SessionSummary> importAnew(const std::string &file, const std::string &workspace,
                                               const Task &task) {
    std::filesystem::remove(workspace);
    return importers::importToNew({file}, workspace, {}, task);
}

double cancelAfter(double wait, const std::string &file, const std::string &workspace) {
    std::stop_source stop;
    Task task;
    task.stop = stop.get_token();
    Clock::time_point asked;
    std::jthread asker([&] {
        std::this_thread::sleep_for(std::chrono::duration<double>(wait));
        asked = Clock::now();
        stop.request_stop();
    });
    const auto summary = importAnew(file, workspace, task);
    const Clock::time_point returned = Clock::now();
    asker.join();
    return summary ? 0 : seconds(returned - asked);
}

}  // namespace

Responses responsesOf(const std::string &file, const std::string &workspace) {
    Responses found;
    const Clock::time_point start = Clock::now();
    Clock::time_point last = start;
    Task task;
    task.progress = [&](const ProgressReport &) {
        const Clock::time_point now = Clock::now();
        if (last == start)
            found.firstReport = seconds(now - start);
        found.longestSilence = std::max(found.longestSilence, seconds(now - last));
        last = now;
    };
    found.ok = importAnew(file, workspace, task).has_value();
    const Clock::time_point end = Clock::now();
    found.longestSilence = std::max(found.longestSilence, seconds(end - last));
    for (const double moment : kMoments)
        found.longestCancel =
            std::max(found.longestCancel, cancelAfter(moment * seconds(end - start), file, workspace));
    return found;
}

void printResponses(const Responses &found) {
    if (!found.ok)
        std::printf("\nProgress and cancelling: failed\n");
    else
        std::printf("\nProgress: first after %.3f s, at least every %.3f s; cancelled within %.3f s at %zu moments\n",
                    found.firstReport, found.longestSilence, found.longestCancel, std::size(kMoments));
    std::fflush(stdout);
}

}  // namespace wattproof::bench
