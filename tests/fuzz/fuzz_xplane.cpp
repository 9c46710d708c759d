// Any bytes as an XPlane profile: no crash, no hang, and what is handed to the store keeps its contract.
#include "importers/xplane/xplane_importer.h"
#include "tests/support/recording_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace wattproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const auto importer = importers::makeXplaneImporter();
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    const auto input = importers::Input::fromBytes(bytes, "fuzz.xplane.pb");
    test::RecordingWriter writer;
    static_cast<void>(importer->probe({bytes.data(), bytes.size()}, "fuzz.xplane.pb"));
    static_cast<void>(importer->import(*input, writer, {}, Task{}));
    if (writer.violations.empty())
        return 0;
    std::fprintf(stderr, "%s\n", writer.violations.front().c_str());
    std::abort();
}
