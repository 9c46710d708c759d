// Any bytes as a table: power logs by every descriptor, nsys reports, marks of a load. Nothing may crash, hang or break the
// writer's contract.
#include "importers/marks/load_marks_importer.h"
#include "importers/nsys/nsys_importer.h"
#include "importers/power/power_importer.h"
#include "tests/support/recording_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace wattproof;

namespace {

void importWith(const importers::Importer &importer, const std::string &bytes) {
    const auto input = importers::Input::fromBytes(bytes, "fuzz.csv");
    test::RecordingWriter writer;
    static_cast<void>(importer.probe({bytes.data(), bytes.size()}, "fuzz.csv"));
    static_cast<void>(importer.import(*input, writer, {}, Task{}));
    if (!writer.violations.empty())
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const auto power = importers::makePowerImporter();
    static const auto nsys = importers::makeNsysImporter();
    static const auto marks = importers::makeLoadMarksImporter();
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    importWith(*power, bytes);
    importWith(*nsys, bytes);
    importWith(*marks, bytes);
    return 0;
}
