// bench_telemetry [--hours H] [--devices N] [--folder DIR]: imports a power log of N devices at 10 Hz over H hours (8 and
// 24 by default: 7 M rows of 8 channels) as nvidia-smi writes it, and prints cells a second. Leaves DIR/telemetry.wattproof.
#include "tests/benchmarks/import_file.h"
#include "tests/benchmarks/measure.h"
#include "tests/benchmarks/references.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace wattproof;
using namespace wattproof::bench;

constexpr int kChannels = 8;
constexpr int kRowsPerSecond = 10;
constexpr std::time_t kStart = 1'764'547'200;  // 2025-12-01 00:00:00 UTC

struct Arguments {
    int hours = 24;
    int devices = 8;
    fs::path folder = fs::temp_directory_path();
};

Arguments parse(int argc, char **argv) {
    Arguments arguments;
    for (int index = 1; index + 1 < argc; index += 2) {
        const std::string word = argv[index];
        if (word == "--hours")
            arguments.hours = std::atoi(argv[index + 1]);
        else if (word == "--devices")
            arguments.devices = std::atoi(argv[index + 1]);
        else if (word == "--folder")
            arguments.folder = argv[index + 1];
    }
    return arguments;
}

// Jobs of some minutes with pauses between them, heat that follows the load, clocks that fall where it is hot.
class Device {
  public:
    explicit Device(unsigned seed) : m_random(seed) {}

    void writeRow(std::FILE *file, const char *stamp, int index) {
        if (--m_left < 0) {
            m_busy = !m_busy;
            m_left = std::uniform_int_distribution<int>(300, 6000)(m_random);
        }
        const double target = m_busy ? 640 : 90;
        m_watts += (target - m_watts) * 0.2 + std::normal_distribution<double>(0, 4)(m_random);
        m_celsius += (30 + m_watts * 0.085 - m_celsius) * 0.003;
        const bool hot = m_celsius > 82;
        std::fprintf(file, "%s, %d, %.2f W, %d, %d %%, %d %%, %d MHz, %d MHz, %d MiB, 0x%016x\n", stamp, index, m_watts,
                     static_cast<int>(m_celsius), m_busy ? 97 : 0, m_busy ? 61 : 0, hot ? 1605 : 1980, 2619,
                     m_busy ? 71234 : 4, hot ? 0x20U : (m_busy ? 0x4U : 0x1U));
    }

  private:
    std::mt19937 m_random;
    bool m_busy = false;
    int m_left = 0;
    double m_watts = 90;
    double m_celsius = 35;
};

bool writeLog(const Arguments &arguments, const std::string &path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "wb"), &std::fclose);
    if (!file)
        return false;
    std::fputs("timestamp, index, power.draw [W], temperature.gpu, utilization.gpu [%], utilization.memory [%], "
               "clocks.current.sm [MHz], clocks.current.memory [MHz], memory.used [MiB], clocks_event_reasons.active\n",
               file.get());
    std::vector<Device> devices;
    for (int index = 0; index < arguments.devices; ++index)
        devices.emplace_back(static_cast<unsigned>(index));
    const int ticks = arguments.hours * 3600 * kRowsPerSecond;
    for (int tick = 0; tick < ticks; ++tick) {
        const std::time_t second = kStart + tick / kRowsPerSecond;
        char date[32];
        char stamp[48];
        std::strftime(date, sizeof date, "%Y/%m/%d %H:%M:%S", std::gmtime(&second));
        std::snprintf(stamp, sizeof stamp, "%s.%03d", date, tick % kRowsPerSecond * 1000 / kRowsPerSecond);
        for (int index = 0; index < arguments.devices; ++index)
            devices[static_cast<std::size_t>(index)].writeRow(file.get(), stamp, index);
    }
    return std::ferror(file.get()) == 0;
}

}  // namespace

int main(int argc, char **argv) {
    const Arguments arguments = parse(argc, argv);
    const std::string file = (arguments.folder / "telemetry.csv").string();
    if (!fs::exists(file) && !writeLog(arguments, file)) {
        std::fprintf(stderr, "%s cannot be written\n", file.c_str());
        return 1;
    }
    const std::uint64_t bytes = fs::file_size(file);
    const std::string workspace = (arguments.folder / "telemetry.wattproof").string();
    const TableRow warm{"read through a 2 MiB buffer", measure([&] { return readOnly(file); }), bytes};
    const TableRow imported{"wattproof import, into a workspace on disk",
                            measure([&] { return importFile(file, workspace, &importers::Summary::samples); }), bytes};
    printTable("Import of a power log of " + std::to_string(arguments.devices) + " devices over " +
                   std::to_string(arguments.hours) + " h, " + std::to_string(bytes) + " bytes",
               {warm, imported});
    if (!imported.measured.ok)
        return 1;
    const double cells = static_cast<double>(imported.measured.count);
    std::printf("samples: %.1f M (%d channels a device); %.2f M cells a second, %.2f M a CPU second; workspace %.2f x the input\n",
                cells * 1e-6, kChannels, cells * 1e-6 / imported.measured.seconds,
                cells * 1e-6 / imported.measured.cpuSeconds,
                static_cast<double>(fs::file_size(workspace)) / static_cast<double>(bytes));
    return 0;
}
