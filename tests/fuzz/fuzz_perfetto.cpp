// Any bytes as a Perfetto trace, compressed or not: no crash, no hang, and what is handed to the store keeps its
// contract.
#include "importers/perfetto/perfetto_importer.h"
#include "tests/support/import_trace.h"

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    static const auto importer = wattproof::importers::makePerfettoImporter();
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    static_cast<void>(importer->probe({bytes.data(), bytes.size()}, "fuzz.pftrace"));
    const auto trace = wattproof::test::importPerfettoBytes(bytes);
    if (trace.violations().empty())
        return 0;
    std::fprintf(stderr, "%s\n", trace.violations().c_str());
    std::abort();
}
