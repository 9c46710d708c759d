// A workspace file that a stranger changed: bytes of a whole one overwritten at places that the input names. Opened or
// refused, never a crash, a hang or a write outside; every reader, the check in the background and an edit run on
// what opens.
//
// An input is a list of changes: three bytes of place (modulo the size of the file), one of length, then the bytes.
#include "importers/session.h"
#include "store/analysis_store.h"
#include "store/edits.h"
#include "store/reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <unistd.h>

using namespace wattproof;

namespace {

constexpr const char *kTrace = R"({"deviceProperties":[{"id":0,"name":"NVIDIA A100"}],"traceEvents":[
{"ph":"M","name":"process_name","pid":7,"args":{"name":"python"}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":7,"ts":10,"dur":40,"args":{"Input Dims":[[4,4],[4,4]]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":12,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"ampere_sgemm","pid":0,"tid":7,"ts":30,"dur":25,"args":{"device":0,"stream":7,"correlation":3}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":60,"dur":5,"args":{"device":0,"stream":7,"bytes":64}},
{"ph":"s","cat":"ac2g","name":"ac2g","id":3,"pid":7,"tid":7,"ts":12},
{"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":3,"pid":0,"tid":7,"ts":30},
{"ph":"C","name":"allocated","pid":7,"ts":11,"args":{"bytes":100}},
{"ph":"C","name":"allocated","pid":7,"ts":51,"args":{"bytes":300}},
{"ph":"i","s":"p","name":"mark","pid":7,"tid":7,"ts":55},
{"ph":"X","name":"overlap","pid":7,"tid":8,"ts":10,"dur":20},{"ph":"X","name":"overlap","pid":7,"tid":8,"ts":20,"dur":20}]})";
constexpr const char *kLog = "timestamp, index, name, power.draw [W], temperature.gpu\n"
                             "2024/05/01 12:00:00.000, 0, NVIDIA A100, 60.5 W, 40\n"
                             "2024/05/01 12:00:00.100, 0, NVIDIA A100, 250.5 W, 41\n"
                             "2024/05/01 12:00:00.200, 0, NVIDIA A100, [N/A], 42\n";

// A folder in memory where there is one, gone with the process.
struct Folder {
    std::filesystem::path path;
    Folder() {
        const std::filesystem::path memory = "/dev/shm";
        path = (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()) /
               ("wattproof-fuzz-" + std::to_string(getpid()));
        std::filesystem::create_directories(path);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    [[nodiscard]] std::string file(const char *name) const { return (path / name).string(); }
};

const Folder &folder() {
    static const Folder made;
    return made;
}

void write(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

const std::string &wholeWorkspace() {
    static const std::string bytes = [] {
        const std::string trace = folder().file("trace.json"), log = folder().file("log.csv");
        write(trace, kTrace);
        write(log, kLog);
        const std::string made = folder().file("whole.wattproof");
        const auto summary = importers::importToNew({trace, log}, made, {}, Task{});
        if (!summary) {
            std::fprintf(stderr, "%s\n", summary.error().sentence().c_str());
            std::abort();
        }
        std::ifstream file(made, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    }();
    return bytes;
}

std::string changed(const std::uint8_t *data, std::size_t size) {
    std::string bytes = wholeWorkspace();
    while (size > 4) {
        const std::size_t place = (data[0] | std::size_t{data[1]} << 8U | std::size_t{data[2]} << 16U) % bytes.size();
        const std::size_t length = std::min({std::size_t{data[3]} + 1, size - 4, bytes.size() - place});
        std::copy_n(data + 4, length, bytes.begin() + static_cast<std::ptrdiff_t>(place));
        data += 4 + length;
        size -= 4 + length;
    }
    return bytes;
}

void readTrack(store::Reader &reader, TrackId track) {
    const TimeRange all{std::numeric_limits<Ns>::min() / 4, std::numeric_limits<Ns>::max() / 4};
    static_cast<void>(reader.lanes(track, all, 1));
    static_cast<void>(reader.lanes(track, {0, 100'000}, 10'000));
    static_cast<void>(reader.slices(track, all, 100));
}

void readEverything(store::Reader &reader) {
    static_cast<void>(reader.sources());
    static_cast<void>(reader.devices());
    static_cast<void>(reader.processes());
    static_cast<void>(reader.threads());
    static_cast<void>(reader.warnings());
    static_cast<void>(reader.metadata());
    const auto range = reader.extent();
    if (const auto tracks = reader.tracks())
        for (std::size_t i = 0; i < std::min<std::size_t>(tracks->size(), 16); ++i)
            readTrack(reader, (*tracks)[i].id);
    if (const auto counters = reader.counters())
        for (std::size_t i = 0; i < std::min<std::size_t>(counters->size(), 16); ++i) {
            static_cast<void>(reader.counterBuckets((*counters)[i].id, range ? *range : TimeRange{}, 1'000'000));
            static_cast<void>(reader.samples((*counters)[i].id, {0, 1'000'000'000}));
        }
    for (int id = 0; id < 12; ++id)
        static_cast<void>(reader.slice(SliceId{id}));
    static_cast<void>(reader.search(store::searchTerms("a cat:a key=*")));
    static_cast<void>(reader.statsByName({0, 1'000'000'000}, {}));
    static_cast<void>(reader.kernels());
    static_cast<void>(reader.hostCalls({}, {0, 1'000'000'000}));
    static_cast<void>(reader.slicesByNameGlob("*e*"));
    static_cast<void>(reader.query("SELECT * FROM args", 50));
    static_cast<void>(reader.query("SELECT * FROM flows, gpu_kernels", 50));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const std::string path = folder().file("changed.wattproof");
    write(path, changed(data, size));
    const auto workspace = store::Workspace::open(path);
    if (!workspace)
        return 0;
    static_cast<void>((*workspace)->check());
    if (const auto reader = (*workspace)->reader())
        readEverything(**reader);
    static_cast<void>((*workspace)->edits().annotations());
    static_cast<void>((*workspace)->edits().setViewState("fuzz", "1"));
    static_cast<void>((*workspace)->analysisStore().findings());
    static_cast<void>((*workspace)->removeSource(SourceId{2}));
    return 0;
}
