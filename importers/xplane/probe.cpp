#include "importers/xplane/probe.h"

#include "importers/xplane/wire_stream.h"

#include <algorithm>

namespace wattproof::importers::xplane {
namespace {

constexpr std::size_t kLongestPlaneName = 256;

bool isPrintable(std::string_view text) {
    return !text.empty() && std::none_of(text.begin(), text.end(),
                                         [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

// XPlane: id 1 is a number; name 2, lines 3, names 4 and 5, statistics 6 are bytes.
bool fitsPlane(const WireField &field) {
    return field.number == 1 ? field.type == WireField::Type::Varint : field.number <= 6 && !field.isNumber();
}

}  // namespace

bool looksLikeXspace(std::string_view head) {
    WireStream stream([&head](std::span<char> buffer) -> Expected<std::size_t> {
        const std::size_t count = head.copy(buffer.data(), buffer.size());
        head.remove_prefix(count);
        return count;
    });
    WireField field;
    bool named = false;
    // Errors and host names may stand before the planes.
    while (stream.next(field))
        if (field.number == 1 || field.number > 4)
            break;
    if (field.number != 1 || field.isNumber() || field.length == 0)
        return false;
    stream.enter();
    while (stream.next(field)) {
        if (!fitsPlane(field))
            return false;
        if (field.number == 2) {
            const auto name = stream.view(kLongestPlaneName);
            if (!name || !isPrintable(*name))
                return false;
            named = true;
        }
    }
    return named && !stream.malformed();
}

}  // namespace wattproof::importers::xplane
