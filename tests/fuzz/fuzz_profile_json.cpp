// Any bytes as a result of rocprofv3 and as a CPU profile of V8: no crash, no hang, and what is handed to the
// store keeps its contract.
#include "importers/cpuprofile/cpuprofile_importer.h"
#include "importers/rocprof/rocprof_importer.h"
#include "tests/support/import_with.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace wattproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const auto rocprof = importers::makeRocprofImporter();
    static const auto cpuprofile = importers::makeCpuprofileImporter();
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    for (const importers::Importer *importer : {rocprof.get(), cpuprofile.get()}) {
        static_cast<void>(importer->probe({bytes.data(), bytes.size()}, "fuzz.json"));
        if (!test::importBytes(*importer, bytes, "fuzz.json")->writer.violations.empty())
            std::abort();
    }
    return 0;
}
