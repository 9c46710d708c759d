// Any bytes as a SQLite export of a profiler: no crash, no hang, and what is handed to the store keeps its contract.
#include "importers/sqlite_export/sqlite_export_importer.h"
#include "tests/support/import_with.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace wattproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const auto importer = importers::makeSqliteExportImporter();
    std::string bytes(reinterpret_cast<const char *>(data), size);
    static_cast<void>(importer->probe({bytes.data(), bytes.size()}, "fuzz.sqlite"));
    if (!test::importBytes(*importer, std::move(bytes), "fuzz.sqlite")->writer.violations.empty())
        std::abort();
    return 0;
}
