// wattproof-simulate: writes simulated runs and large traces.
#include "tests/simulator/big_trace.h"
#include "tests/simulator/simulator.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace wattproof;
using namespace wattproof::simulator;

constexpr const char *kUsageText =
    "wattproof-simulate PRESET -o PREFIX [--seed N] [--iterations N] [--severity S] [--no-gzip]\n"
    "    writes PREFIX_trace.json.gz, PREFIX_power.csv and PREFIX_truth.json\n"
    "wattproof-simulate big --events N -o FILE [--seed N]\n"
    "    writes a large trace in the shape of a PyTorch profiler's\n"
    "wattproof-simulate list\n"
    "    names the presets\n";

struct Arguments {
    std::string command, output;
    std::optional<std::uint64_t> seed;
    std::optional<int> iterations;
    std::optional<double> severity;
    std::int64_t events = 1'000'000;
    bool gzip = true;
};

// Takes the option's value into `arguments`; false for an unknown option.
bool takeOption(Arguments &arguments, const std::string &option, const char *value) {
    if (option == "-o" || option == "--output")
        arguments.output = value;
    else if (option == "--seed")
        arguments.seed = std::strtoull(value, nullptr, 10);
    else if (option == "--iterations")
        arguments.iterations = static_cast<int>(std::strtol(value, nullptr, 10));
    else if (option == "--severity")
        arguments.severity = std::strtod(value, nullptr);
    else if (option == "--events")
        arguments.events = std::strtoll(value, nullptr, 10);
    else
        return false;
    return true;
}

std::optional<Arguments> parse(const std::vector<std::string> &words) {
    if (words.empty())
        return std::nullopt;
    Arguments arguments;
    arguments.command = words.front();
    for (std::size_t index = 1; index < words.size(); ++index) {
        if (words[index] == "--no-gzip") {
            arguments.gzip = false;
            continue;
        }
        if (index + 1 == words.size() || !takeOption(arguments, words[index], words[index + 1].c_str()))
            return std::nullopt;
        ++index;
    }
    return arguments;
}

int usage() {
    std::cerr << kUsageText;
    return 2;
}

int fail(const Error &error) {
    std::cerr << error.what << " (" << error.where << "): " << error.remedy << '\n';
    return 1;
}

int list() {
    for (const std::string &name : presetNames())
        std::cout << name << '\n';
    return 0;
}

int writeBig(const Arguments &arguments) {
    BigTraceConfig config;
    config.events = arguments.events;
    config.seed = arguments.seed.value_or(config.seed);
    Expected<BigTraceCounts> counts = writeBigTrace(config, arguments.output);
    if (!counts)
        return fail(counts.error());
    std::cout << counts->events << " events, " << counts->bytes << " bytes: " << counts->slices << " slices, "
              << counts->flows << " flow halves, " << counts->counters << " counters, " << counts->instants
              << " instants\n";
    return 0;
}

int writePreset(const Arguments &arguments) {
    std::optional<SimulationConfig> config = preset(arguments.command);
    if (!config)
        return usage();
    config->seed = arguments.seed.value_or(config->seed);
    config->workload.iterations = arguments.iterations.value_or(config->workload.iterations);
    for (Injection &injection : config->injections)
        injection.severity = arguments.severity.value_or(injection.severity);
    Expected<Files> files = writeFiles(simulate(*config), arguments.output, arguments.gzip);
    if (!files)
        return fail(files.error());
    std::cout << files->trace << '\n' << files->power << '\n' << files->truth << '\n';
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    const std::optional<Arguments> arguments = parse({argv + 1, argv + argc});
    if (!arguments)
        return usage();
    if (arguments->command == "list")
        return list();
    if (arguments->output.empty())
        return usage();
    return arguments->command == "big" ? writeBig(*arguments) : writePreset(*arguments);
}
