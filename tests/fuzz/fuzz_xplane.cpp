// Any bytes as an XPlane profile: no crash, no hang, and what is handed to the store keeps its contract.
#include "importers/xplane/xplane_importer.h"
#include "tests/support/import_with.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace wattproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const auto importer = importers::makeXplaneImporter();
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    static_cast<void>(importer->probe({bytes.data(), bytes.size()}, "fuzz.xplane.pb"));
    if (!test::importBytes(*importer, bytes, "fuzz.xplane.pb")->writer.violations.empty())
        std::abort();
    return 0;
}
