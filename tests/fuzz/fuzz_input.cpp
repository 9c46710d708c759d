// Any bytes as a file with or without compression: no crash, no hang, and no more bytes than the rule against bombs
// lets through. What is read in one piece and what is read in small ones are the same bytes.
#include "importers/input/input.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

using namespace wattproof;

namespace {

// What the first megabytes read as; a damaged stream ends early.
std::string contentOf(const std::string &bytes, std::size_t piece) {
    constexpr std::size_t kEnough = std::size_t{4} << 20U;
    const auto input = importers::Input::fromBytes(bytes, "fuzz.json");
    static_cast<void>(input->head());
    std::string content, buffer(piece, '\0');
    while (content.size() < kEnough) {
        const auto got = input->read(buffer);
        if (!got || *got == 0)
            break;
        content.append(buffer, 0, *got);
        if (input->position() != content.size() || input->bytesConsumed() > input->sizeBytes())
            std::abort();
    }
    content.resize(std::min(content.size(), kEnough));
    return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    if (contentOf(bytes, std::size_t{1} << 20U) != contentOf(bytes, 997))
        std::abort();
    return 0;
}
