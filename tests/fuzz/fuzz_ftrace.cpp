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

// The last byte decides how the others are dressed, so that real files can serve as seeds.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    switch (data[size - 1] % 5) {
        case 0:
            check(test::importSystraceText(bytes));
            break;
        case 1:
            check(test::importSystraceText("<html><script class=\"trace-data\">" + bytes));
            break;
        case 2:
            check(test::importSystraceText("<html><script>linuxPerfData = \"" + bytes));
            break;
        case 3:
            check(test::importPerfettoBytes(packet(1, bytes)));
            break;
        default:
            check(test::importPerfettoBytes(packet(7, bytes)));
            break;
    }
    return 0;
}
