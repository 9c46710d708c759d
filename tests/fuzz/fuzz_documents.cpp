// Any bytes as each of the JSON documents that a user or a stranger hands in: a descriptor (and a table read with it),
// sensor facts, a scenario, settings of rules, a stored result. No crash, no hang; what was taken reads the same again.
#include "analysis/findings/rule_settings.h"
#include "analysis/result.h"
#include "analysis/scenario.h"
#include "importers/power/descriptor.h"
#include "importers/power/power_importer.h"
#include "importers/power/sensor_facts.h"
#include "tests/support/recording_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <nlohmann/json.hpp>

using namespace wattproof;

namespace {

constexpr const char *kTable = "timestamp,index,name,uuid,power.draw [W],temperature.gpu,clocks.sm [MHz],reasons,value\n"
                               "2024/05/01 12:00:00.000,0,A,GPU-1,\"250,5 W\",61,1410 MHz,0x0000000000000040,1\n"
                               "2024/05/01 12:00:00.100,0,A,GPU-1,[N/A],61 C,P2,Active,-2e3\n"
                               "1714564800.2,1,B,GPU-2,N/A,,,0x8,\n";

void importTable(const std::string &descriptor) {
    static const auto power = importers::makePowerImporter();
    importers::Options options;
    options.descriptorJson = descriptor;
    const auto input = importers::Input::fromBytes(kTable, "fuzz.csv");
    test::RecordingWriter writer;
    static_cast<void>(power->import(*input, writer, options, Task{}));
    if (!writer.violations.empty())
        std::abort();
}

// A scenario that was taken is taken again as it is written, and means the same.
void readScenario(const std::string &text) {
    const auto scenario = analysis::parseScenario(text, "fuzz.json");
    if (!scenario)
        return;
    const std::string written = analysis::toJson(*scenario).dump();
    const auto again = analysis::parseScenario(written, "again.json");
    if (!again || analysis::toJson(*again).dump() != written)
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    if (importers::parseDescriptor(text, "fuzz.json"))
        importTable(text);
    static_cast<void>(importers::SensorFacts::parse(text, "fuzz.json"));
    readScenario(text);
    static_cast<void>(analysis::parseRuleSettings(text, "fuzz.json", analysis::ruleSettings()));
    static_cast<void>(analysis::resultFromJson(text));
    return 0;
}
