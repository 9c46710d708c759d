#include "importers/perfetto/probe.h"

#include "importers/perfetto/wire.h"

#include <algorithm>
#include <cstdint>

namespace wattproof::importers::perfetto {
namespace {

constexpr int kLookedAt = 8;
enum class Verdict : std::uint8_t { No, Maybe, Yes };

// TracePacket's field 2 is a process tree and 3 a user id; XPlane's 2 is a name and 3 a line. 8 (time), 10
// (sequence) and 58 (clock) are numbers in a packet, and XPlane has no field above 6.
Verdict look(std::string_view packet, bool whole) {
    bool marks = false, any = false;
    Message message(packet);
    for (Field field; message.next(field);) {
        any = true;
        const bool number = field.type == WireType::Varint;
        if (field.id == 3 && !number)
            return Verdict::No;
        if (field.id == 8 || field.id == 10 || field.id == 13 || field.id == 58) {
            if (!number)
                return Verdict::No;
            marks = true;
        } else if (field.id > 2000) {
            return Verdict::No;
        } else if (field.id >= 7) {
            marks = marks || field.isBytes();
        }
    }
    if (message.damaged() && whole)
        return Verdict::No;
    return marks ? Verdict::Yes : any ? Verdict::Maybe : Verdict::No;
}

}  // namespace

double probe(std::string_view head) {
    const char *at = head.data();
    const char *const end = at + head.size();
    int yes = 0, maybe = 0;
    for (int i = 0; i < kLookedAt && at != end; ++i) {
        std::uint64_t tag = 0, length = 0;
        if (!readVarint(at, end, tag) || tag != 0x0a)
            break;
        if (!readVarint(at, end, length) || length > (std::uint64_t{1} << 29U))
            break;
        const auto left = static_cast<std::uint64_t>(end - at);
        const auto size = static_cast<std::size_t>(std::min(length, left));
        const Verdict verdict = look({at, size}, length <= left);
        if (verdict == Verdict::No)
            return 0;
        (verdict == Verdict::Yes ? yes : maybe) += 1;
        at += size;
    }
    if (yes == 0)
        return maybe > 0 ? 0.3 : 0;
    return std::min(0.95, 0.8 + 0.05 * yes);
}

}  // namespace wattproof::importers::perfetto
