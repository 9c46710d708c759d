// bench_import [--events N] [--folder DIR] [FILE]: imports a large Kineto-style file (made first when none is
// given) and prints what it cost, beside other ways of reading the same bytes in the same run. Leaves
// DIR/bench.wattproof behind.
#include "tests/benchmarks/import_file.h"
#include "tests/benchmarks/measure.h"
#include "tests/benchmarks/references.h"
#include "tests/benchmarks/responses.h"
#include "tests/simulator/big_trace.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace wattproof;
using namespace wattproof::bench;

struct Arguments {
    std::int64_t events = 1'000'000;
    fs::path folder = fs::temp_directory_path();
    std::string file;
};

// Other programs on one million events of 299 bytes, measured once on a quiet machine of two cores; per event, so
// that files of other sizes compare. A different machine shifts them all: read the ratios with the table above
// them in mind.
struct Anchor {
    const char *program;
    double secondsPerMillion;
};

constexpr Anchor kAnchors[] = {
    {"Perfetto trace processor, load into memory", 8.0},
    {"- with a tuned allocator", 3.3},
    {"- load and export to SQLite", 10.7},
    {"Tracy's Chrome import", 23},
    {"Python json.load", 9.2},
    {"nlohmann_json SAX, empty handler", 2.8},
    {"simdjson, streamed, every argument, one thread", 0.47},
};

Arguments parse(int argc, char **argv) {
    Arguments arguments;
    for (int index = 1; index < argc; ++index) {
        const std::string word = argv[index];
        if (word == "--events" && index + 1 < argc)
            arguments.events = std::strtoll(argv[++index], nullptr, 10);
        else if (word == "--folder" && index + 1 < argc)
            arguments.folder = argv[++index];
        else
            arguments.file = word;
    }
    return arguments;
}

std::string inputFile(const Arguments &arguments) {
    if (!arguments.file.empty())
        return arguments.file;
    simulator::BigTraceConfig config;
    config.events = arguments.events;
    std::string path = (arguments.folder / "bench.json").string();
    const auto written = simulator::writeBigTrace(config, path);
    if (!written)
        std::fprintf(stderr, "%s\n", written.error().sentence().c_str());
    return written ? path : std::string();
}

// CPU time beside wall time: on a machine that others use, only the former means much.
void printRatios(const Measured &imported, const std::vector<TableRow> &rows) {
    std::printf("\nWattproof's import takes, of the time (and of the CPU time) of\n");
    for (const TableRow &row : rows) {
        if (row.measured.ok && row.measured.cpuSeconds > 0)
            std::printf("  %6.2f (%6.2f)  %s, in this run\n", imported.seconds / row.measured.seconds,
                        imported.cpuSeconds / row.measured.cpuSeconds, row.program.c_str());
    }
    const double millions = static_cast<double>(imported.count) * 1e-6;
    for (const Anchor &anchor : kAnchors)
        std::printf("  %6.2f           %s, recorded: %.2f s per million events\n",
                    imported.seconds / (anchor.secondsPerMillion * millions), anchor.program,
                    anchor.secondsPerMillion);
}

void printGzip(const std::string &file, const std::string &workspace, const Measured &plain, std::uint64_t bytes) {
    const std::string compressed = workspace + ".json.gz";
    if (!writeGzip(file, compressed)) {
        std::printf("\nWith gzip: failed, %s cannot be written\n", compressed.c_str());
        return;
    }
    const TableRow imported{"wattproof import of the same, compressed",
                            measure([&] { return importFile(compressed, workspace); }), bytes};
    const TableRow inflated{"zlib inflate", measure([&] { return inflatePass(compressed); }), bytes};
    printTable("With gzip, " + std::to_string(fs::file_size(compressed)) + " bytes", {imported, inflated});
    fs::remove(compressed);
    std::printf("rate: %.2f x that of the plain file, %.2f x bare inflate\n",
                plain.seconds / imported.measured.seconds, inflated.measured.seconds / imported.measured.seconds);
}

}  // namespace

int main(int argc, char **argv) {
    const Arguments arguments = parse(argc, argv);
    const std::string file = inputFile(arguments);
    if (file.empty())
        return 1;
    const std::string workspace = (arguments.folder / "bench.wattproof").string();
    const std::string scratch = (arguments.folder / "bench_inserts.sqlite").string();
    const std::uint64_t bytes = fs::file_size(file);
    fs::remove(scratch);

    const TableRow warm{"read through a 2 MiB buffer", measure([&] { return readOnly(file); }), bytes};
    const TableRow imported{"wattproof import, into a workspace on disk",
                            measure([&] { return importFile(file, workspace); }), bytes};
    std::vector<TableRow> references{
        {"simdjson, streamed, every argument, one thread", measure([&] { return simdjsonPass(file); }), bytes},
        {"nlohmann_json SAX, empty handler", measure([&] { return saxPass(file); }), bytes}};
    const std::int64_t rows = references.front().measured.count;
    references.push_back(
        {"SQLite, as many rows of 7 integers", measure([&] { return sqliteInserts(scratch, rows); }), 0});
    fs::remove(scratch);

    std::vector<TableRow> table{warm, imported};
    table.insert(table.end(), references.begin(), references.end());
    printTable("Import of " + file + ", " + std::to_string(bytes) + " bytes", table);
    if (!imported.measured.ok)
        return 1;
    std::printf("workspace: %.2f x the size of the input\n",
                static_cast<double>(fs::file_size(workspace)) / static_cast<double>(bytes));
    printRatios(imported.measured, references);
    const std::string other = (arguments.folder / "bench_again.wattproof").string();
    printGzip(file, other, imported.measured, bytes);
    printResponses(responsesOf(file, other));
    fs::remove(other);
    return 0;
}
