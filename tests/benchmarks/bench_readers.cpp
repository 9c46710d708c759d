// bench_readers WORKSPACE [RUNS [PART]]: what the readers that the window and the analysis lean on cost on a
// workspace, each run with a reader of its own that knows nothing yet. The file is in the page cache after the
// first run. Medians, by the clock and in time of the processor. With PART only the rows whose title holds it.
#include "store/reader.h"
#include "store/workspace.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <malloc.h>
#include <unistd.h>

namespace {

using namespace wattproof;
using store::Reader;
using store::Workspace;

constexpr int kPixels = 2000;
constexpr int kPlaces = 20;  // of a narrow view along the track
constexpr std::size_t kTracksInSight = 12;

struct Cost {
    double clockMs = 0, cpuMs = 0;
    std::int64_t answers = 0;  // negative: failed
};

double cpuMs() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

Cost timed(const std::function<std::int64_t()> &work) {
    const auto start = std::chrono::steady_clock::now();
    const double before = cpuMs();
    Cost cost;
    cost.answers = work();
    cost.cpuMs = cpuMs() - before;
    cost.clockMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return cost;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double residentMiB() {
    std::ifstream file("/proc/self/statm");
    std::int64_t whole = 0, resident = 0, shared = 0;
    file >> whole >> resident >> shared;
    return static_cast<double>(resident - shared) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

template <class List>
std::int64_t sizeOf(const Expected<List> &list) {
    if (!list)
        std::fprintf(stderr, "%s\n", list.error().sentence().c_str());
    return list ? static_cast<std::int64_t>(list->size()) : -1;
}

// As the timeline does: the spans, and the texts of the names it has not seen.
std::int64_t lanesWithNames(Reader &reader, TrackId track, TimeRange range) {
    auto spans = reader.lanes(track, range, std::max<Ns>(1, range.length() / kPixels));
    if (!spans)
        return sizeOf(spans);
    std::set<StringId> names;
    for (const store::LaneSpan &span : *spans)
        names.insert(span.name);
    if (const auto texts = reader.texts({names.begin(), names.end()}); !texts)
        return sizeOf(texts);
    return static_cast<std::int64_t>(spans->size());
}

// Views of one width, one after the other along the track.
std::int64_t narrowViews(Reader &reader, const TrackRow &track, Ns width) {
    std::int64_t spans = 0;
    for (int place = 0; place < kPlaces; ++place) {
        const Ns begin = track.extent.begin + (track.extent.length() - width) / kPlaces * place;
        const std::int64_t here = lanesWithNames(reader, track.id, {begin, begin + width});
        if (here < 0)
            return here;
        spans += here;
    }
    return spans;
}

std::vector<TrackRow> bySize(Reader &reader) {
    std::vector<TrackRow> tracks = reader.tracks().value_or(std::vector<TrackRow>());
    std::stable_sort(tracks.begin(), tracks.end(),
                     [](const TrackRow &a, const TrackRow &b) { return a.sliceCount > b.sliceCount; });
    return tracks;
}

// What the window needs before it can paint: the tree of tracks, and the lanes of those in sight.
std::int64_t openToFirstPicture(const std::string &path) {
    auto workspace = Workspace::open(path);
    auto reader = workspace ? (*workspace)->reader() : tl::unexpected<Error>(workspace.error());
    if (!reader)
        return -1;
    const std::vector<TrackRow> tracks = bySize(**reader);
    const auto extent = (*reader)->extent();
    if (!extent || sizeOf((*reader)->counters()) < 0)
        return -1;
    std::int64_t spans = 0;
    for (std::size_t i = 0; i < std::min(kTracksInSight, tracks.size()); ++i)
        spans += lanesWithNames(**reader, tracks[i].id, *extent);
    return spans;
}

class Table {
public:
    Table(int runs, std::string part) : runs_(runs), part_(std::move(part)) {}
    void use(std::shared_ptr<Workspace> workspace) { workspace_ = std::move(workspace); }

    // `units`: how many questions one run asks.
    void row(const char *what, const std::function<std::int64_t(Reader &)> &ask, int units = 1) {
        print(what, units, [&] {
            auto reader = workspace_->reader();
            Cost cost;
            cost.answers = -1;
            return reader ? timed([&] { return ask(**reader); }) : cost;
        });
    }
    void print(const char *what, int units, const std::function<Cost()> &run) {
        if (std::string(what).find(part_) == std::string::npos)
            return;
        std::vector<double> clock, cpu;
        std::int64_t answers = 0;
        for (int i = 0; i < runs_; ++i) {
            const Cost cost = run();
            clock.push_back(cost.clockMs / units);
            cpu.push_back(cost.cpuMs / units);
            answers = cost.answers;
        }
        malloc_trim(0);
        std::printf("%-58s %10.2f %10.2f %12lld %8.0f\n", what, median(clock), median(cpu),
                    static_cast<long long>(answers), residentMiB());
        std::fflush(stdout);
    }

private:
    std::shared_ptr<Workspace> workspace_;
    int runs_;
    std::string part_;
};

void measureDrawing(Table &table, const TrackRow &largest) {
    table.row("view of the whole track, 2000 pixels, with names",
              [&](Reader &r) { return lanesWithNames(r, largest.id, largest.extent); });
    for (const auto &[what, share] : {std::pair{"view of 10 % of the time, with names", 10},
                                      std::pair{"view of 1 % of the time, with names", 100},
                                      std::pair{"view of 0.1 % of the time, with names", 1000},
                                      std::pair{"view of 0.01 % of the time, with names", 10'000}})
        table.row(
            what, [&](Reader &r) { return narrowViews(r, largest, largest.extent.length() / share); }, kPlaces);
}

void measureNames(Table &table, const TrackRow &largest, TimeRange extent) {
    table.row("statistics by name, everything", [&](Reader &r) { return sizeOf(r.statsByName(extent, {})); });
    table.row("statistics by name, largest track, 10 % of the time", [&](Reader &r) {
        const Ns begin = largest.extent.begin + largest.extent.length() / 2;
        return sizeOf(r.statsByName({begin, begin + largest.extent.length() / 10}, {largest.id}));
    });
}

void measureBulk(Table &table, TimeRange extent) {
    table.row("all GPU operations", [](Reader &r) {
        const auto kernels = r.kernels();
        return kernels ? static_cast<std::int64_t>(kernels->kernels.size()) : -1;
    });
    table.row("all host calls", [&](Reader &r) { return sizeOf(r.hostCalls({}, extent)); });
    table.row("host calls of one category", [&](Reader &r) { return sizeOf(r.hostCalls({"cpu_op"}, extent)); });
    table.row("units of work by a glob", [](Reader &r) { return sizeOf(r.slicesByNameGlob("ProfilerStep#*")); });
}

int run(const std::string &path, int runs, const std::string &part) {
    std::printf("\nReaders on %s, median of %d runs\n", path.c_str(), runs);
    std::printf("%-58s %10s %10s %12s %8s\n", "", "ms", "CPU ms", "answers", "MiB");
    Table table(runs, part);
    table.print("open to what the first picture needs", 1,
                [&] { return timed([&] { return openToFirstPicture(path); }); });
    auto workspace = Workspace::open(path);
    auto reader = workspace ? (*workspace)->reader() : tl::unexpected<Error>(workspace.error());
    if (!reader) {
        std::fprintf(stderr, "%s\n", reader.error().sentence().c_str());
        return 1;
    }
    table.use(*workspace);
    const std::vector<TrackRow> tracks = bySize(**reader);
    const TimeRange extent = (*reader)->extent().value_or(TimeRange());
    if (tracks.empty() || extent.empty()) {
        std::fputs("There are no slices in this workspace.\n", stderr);
        return 1;
    }
    std::int64_t slices = 0;
    for (const TrackRow &track : tracks)
        slices += track.sliceCount;
    std::printf("(%lld slices on %zu tracks, the largest with %lld)\n", static_cast<long long>(slices),
                tracks.size(), static_cast<long long>(tracks.front().sliceCount));
    measureDrawing(table, tracks.front());
    measureNames(table, tracks.front(), extent);
    measureBulk(table, extent);
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::fputs("usage: bench_readers WORKSPACE [RUNS [PART]]\n", stderr);
        return 2;
    }
    return run(argv[1], argc > 2 ? std::max(1, std::atoi(argv[2])) : 5, argc > 3 ? argv[3] : "");
}
