// Any bytes as a Chrome trace, compressed or not: no crash, no hang, and what is handed to the store keeps its
// contract.
#include "tests/support/import_trace.h"

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    const auto trace = wattproof::test::importChromeText(std::string(reinterpret_cast<const char *>(data), size));
    if (trace.violations().empty())
        return 0;
    std::fprintf(stderr, "%s\n", trace.violations().c_str());
    std::abort();
}
