// bench_search WORKSPACE [RUNS [TEXT...]]: what finding slices costs, each run with a reader of its own that knows nothing
// yet: until the first hits are told, until all are there, a step to the next. Medians. Without
// texts: the rarest name, the commonest word, one that nothing has, and a word with an argument.
#include "store/reader.h"
#include "store/workspace.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace wattproof;
using store::Reader;
using store::Workspace;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double cpuMs() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// The name with the fewest slices, and a word that most names share.
std::vector<std::string> usualTexts(Reader &reader) {
    const auto extent = reader.extent();
    const auto stats = extent ? reader.statsByName(*extent, {}) : tl::unexpected<Error>(extent.error());
    std::vector<std::string> texts{"e", "no such name", "void at::native"};
    if (stats && !stats->empty()) {
        const auto rarest = std::min_element(stats->begin(), stats->end(),
                                             [](const auto &a, const auto &b) { return a.count < b.count; });
        const auto commonest = std::max_element(stats->begin(), stats->end(),
                                                [](const auto &a, const auto &b) { return a.count < b.count; });
        texts.insert(texts.begin(), {'"' + rarest->text + '"', '"' + commonest->text + '"'});
    }
    return texts;
}

bool measure(const Workspace &workspace, const std::string &text, int runs) {
    std::vector<double> first, all, cpu, step;
    std::int64_t count = 0;
    for (int run = 0; run < runs; ++run) {
        auto reader = workspace.reader();
        if (!reader)
            return false;
        const auto begin = Clock::now();
        const double cpuBegin = cpuMs();
        double firstAt = -1;
        const auto hits = (*reader)->search(store::searchTerms(text), [&](const store::SearchHits &) {
            if (firstAt < 0)
                firstAt = since(begin);
        });
        all.push_back(since(begin));
        cpu.push_back(cpuMs() - cpuBegin);
        if (!hits)
            return false;
        first.push_back(firstAt < 0 ? all.back() : firstAt);
        count = hits->count();
        const auto stepped = Clock::now();
        if (const auto middle = hits->first())
            static_cast<void>(hits->after(middle->ts, middle->slice));
        step.push_back(since(stepped));
    }
    std::printf("%-48s %12lld %10.1f %10.1f %10.1f %10.3f\n", text.c_str(), static_cast<long long>(count),
                median(first), median(all), median(cpu), median(step));
    std::fflush(stdout);
    return true;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::fputs("usage: bench_search WORKSPACE [RUNS [TEXT...]]\n", stderr);
        return 2;
    }
    const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
    auto workspace = Workspace::open(argv[1]);
    auto reader = workspace ? (*workspace)->reader() : tl::unexpected<Error>(workspace.error());
    if (!reader) {
        std::fprintf(stderr, "%s\n", reader.error().sentence().c_str());
        return 1;
    }
    const std::vector<std::string> texts =
        argc > 3 ? std::vector<std::string>(argv + 3, argv + argc) : usualTexts(**reader);
    std::printf("\nSearch on %s, median of %d runs\n", argv[1], runs);
    std::printf("%-48s %12s %10s %10s %10s %10s\n", "text", "hits", "first ms", "all ms", "CPU ms", "step ms");
    for (const std::string &text : texts)
        if (!measure(**workspace, text, runs))
            return 1;
    return 0;
}
