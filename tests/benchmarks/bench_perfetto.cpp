// bench_perfetto [--events N] [--folder DIR]: makes a Perfetto trace of N track events (interned names, several
// threads, some arguments, flows and counters), imports it, and prints events a second.
#include "tests/benchmarks/import_file.h"
#include "tests/benchmarks/measure.h"
#include "tests/support/wire_writer.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace wattproof;
using test::Wire;

constexpr std::uint64_t kThreads = 16, kNames = 200, kDeepest = 6, kEventsAnArgument = 10;

// One sequence a thread: its track is the default, names are interned, times are absolute.
std::string opening(std::uint64_t thread) {
    Wire interned;
    for (std::uint64_t i = 1; i <= kNames; ++i)
        interned.message(2, Wire().number(1, i).text(2, "Operation::Step" + std::to_string(i)));
    interned.message(1, Wire().number(1, 1).text(2, "benchmark"));
    interned.message(3, Wire().number(1, 1).text(2, "bytes"));
    const Wire defaults = Wire().message(11, Wire().number(11, thread));
    const Wire descriptor =
        Wire().number(1, thread).message(4, Wire().number(1, 1).number(2, thread).text(5, "worker"));
    Wire packet;
    packet.number(8, 1).number(10, thread).number(13, 1).message(12, interned).message(59, defaults);
    packet.message(60, descriptor);
    return Wire().message(1, packet).bytes();
}

// Nested calls, as a profiler of a program sees them.
bool writeTrace(const std::string &path, std::uint64_t events) {
    std::ofstream out(path, std::ios::binary);
    std::vector<std::uint64_t> depth(kThreads + 1);
    for (std::uint64_t thread = 1; thread <= kThreads; ++thread)
        out << opening(thread);
    Wire own, packet, line;
    std::uint64_t state = 88172645463325252ULL;
    for (std::uint64_t i = 0; i < events; ++i) {
        state ^= state << 13U;
        state ^= state >> 7U;
        state ^= state << 17U;
        const std::uint64_t thread = 1 + i % kThreads;
        const bool begins = depth[thread] == 0 || (depth[thread] < kDeepest && (state & 1U) != 0);
        own.clear();
        own.number(9, begins ? 1 : 2);
        if (begins)
            own.number(3, 1).number(10, 1 + state % kNames);
        if (begins && i % kEventsAnArgument == 0)
            own.message(4, Wire().number(1, 1).number(3, state % 100'000));
        depth[thread] += begins ? 1 : ~std::uint64_t{0};
        packet.clear();
        packet.number(8, 1'000'000 + i * 137).number(10, thread).number(13, 2).message(11, own);
        line.clear();
        out << line.message(1, packet).bytes();
    }
    return static_cast<bool>(out);
}

}  // namespace

int main(int argc, char **argv) {
    std::uint64_t events = 1'000'000;
    fs::path folder = fs::temp_directory_path();
    for (int index = 1; index + 1 < argc; index += 2) {
        const std::string word = argv[index];
        if (word == "--events")
            events = std::strtoull(argv[index + 1], nullptr, 10);
        else if (word == "--folder")
            folder = argv[index + 1];
    }
    const std::string file = (folder / "bench.pftrace").string();
    const std::string workspace = (folder / "bench_perfetto.wattproof").string();
    if (!writeTrace(file, events)) {
        std::fprintf(stderr, "%s cannot be written\n", file.c_str());
        return 1;
    }
    const std::uint64_t bytes = fs::file_size(file);
    const bench::Measured imported = bench::measure([&] { return bench::importFile(file, workspace); });
    bench::printTable("Import of " + file + ", " + std::to_string(bytes) + " bytes",
                      {{"wattproof import, Perfetto track events", imported, bytes}});
    if (!imported.ok)
        return 1;
    std::printf("%.2f million events a second (%.2f a second of CPU time)\n",
                static_cast<double>(imported.count) * 1e-6 / imported.seconds,
                static_cast<double>(imported.count) * 1e-6 / imported.cpuSeconds);
    fs::remove(workspace);
    return 0;
}
