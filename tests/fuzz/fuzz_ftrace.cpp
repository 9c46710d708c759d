// Any bytes as ftrace text, as a page that carries a trace, and as a Perfetto bundle of kernel events: no crash,
// no hang, and what is handed to the store keeps its contract.
#include "tests/support/import_trace.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace wattproof;

namespace {

void check(const test::ImportedTrace &trace) {
    if (trace.violations().empty())
        return;
    std::fprintf(stderr, "%s\n", trace.violations().c_str());
    std::abort();
}

std::string lengthOf(std::size_t size) {
    std::string text;
    for (; size >= 0x80; size >>= 7U)
        text += static_cast<char>((size & 0x7fU) | 0x80U);
    return text += static_cast<char>(size);
}

// The bytes as the value of one field of a packet, and that as one packet of a trace.
std::string packet(unsigned char field, const std::string &bytes) {
    const std::string inner = static_cast<char>((field << 3U) | 2U) + lengthOf(bytes.size()) + bytes;
    return '\x0a' + lengthOf(inner.size()) + inner;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    check(test::importSystraceText(bytes));
    check(test::importSystraceText("<html><script class=\"trace-data\">" + bytes));
    check(test::importSystraceText("<html><script>linuxPerfData = \"" + bytes));
    check(test::importPerfettoBytes(packet(1, bytes)));
    check(test::importPerfettoBytes(packet(7, bytes)));
    return 0;
}
