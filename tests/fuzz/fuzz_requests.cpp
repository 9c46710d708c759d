// Any bytes as a request, latency or quality log: as what they are recognised to be, and by the rules of every
// format. No crash, no hang, and what is handed to the store keeps its contract.
#include "importers/requests/requests_importer.h"
#include "tests/support/import_with.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace wattproof;

namespace {

void importAs(const importers::Importer &importer, const std::string &bytes, const std::string &format) {
    const auto input = importers::Input::fromBytes(bytes, "fuzz.log");
    test::RecordingWriter writer;
    importers::Options options;
    options.format = format;
    const auto summary = importer.import(*input, writer, options, Task{});
    if (!writer.violations.empty() || (!summary && summary.error().what.empty()))
        std::abort();
}

}  // namespace

// The first byte chooses the format that is forced, so that all of them are met.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const auto requests = importers::makeRequestsImporter();
    static const auto quality = importers::makeQualityImporter();
    if (size == 0)
        return 0;
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    for (const importers::Importer *importer : {requests.get(), quality.get()}) {
        static_cast<void>(importer->probe({bytes.data(), bytes.size()}, "fuzz.log"));
        importAs(*importer, bytes, "");
        const std::vector<std::string> formats = importer->formats();
        importAs(*importer, bytes.substr(1), formats[data[0] % formats.size()]);
    }
    return 0;
}
