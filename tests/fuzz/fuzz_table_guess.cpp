// Any bytes as a table that a user maps: what is guessed of it must be a mapping that can be written down, read
// back and imported by. Nothing may crash, hang or break the writer's contract.
#include "importers/power/descriptor.h"
#include "importers/power/power_importer.h"
#include "importers/power/table_guess.h"
#include "tests/support/recording_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace wattproof;

namespace {

// As the dialog: the first guess, then another of the columns alone.
Expected<TableLook> guessAgain(const std::string &bytes, const TableMapping &first, std::uint8_t choice) {
    TableMapping fixed = first;
    fixed.hasHeader = (choice & 1U) != 0;
    fixed.rowsBefore = choice >> 6U;
    return importers::guessTable(bytes, &fixed);
}

void importBy(const TableMapping &mapping, const std::string &bytes) {
    const auto descriptor = importers::descriptorOf(mapping, "fuzz");
    if (!descriptor)
        return;
    if (!importers::parseDescriptor(*descriptor, "fuzz.json"))
        std::abort();
    const auto input = importers::Input::fromBytes(bytes, "fuzz.csv");
    test::RecordingWriter writer;
    importers::Options options;
    options.descriptorJson = *descriptor;
    static_cast<void>(importers::makePowerImporter()->import(*input, writer, options, Task{}));
    if (!writer.violations.empty())
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
    const auto look = importers::guessTable(bytes, nullptr);
    if (!look)
        return 0;
    importBy(look->mapping, bytes);
    if (const auto again = guessAgain(bytes, look->mapping, data[0]))
        importBy(again->mapping, bytes);
    return 0;
}
