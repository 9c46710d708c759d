#include "importers/chrome/event_keys.h"

#include <functional>
#include <string>

namespace wattproof::importers::chrome {
namespace {

std::uint64_t combine(std::uint64_t hash, std::string_view text) {
    const std::uint64_t own = std::hash<std::string_view>{}(text);
    return (hash ^ own) * 0x9e3779b97f4a7c15ULL + (hash >> 29U);
}

std::uint64_t combine(std::uint64_t hash, const RawValue &value) {
    std::string scratch;
    return combine(hash, value.present() ? plainText(value, scratch) : std::string_view());
}

std::uint64_t withId(std::uint64_t hash, const Event &event) {
    if (event.id2.kind != ValueKind::Object)
        return combine(combine(hash, "id"), event.id.text());
    Scanner scanner(event.id2.data + 1, event.id2.data + event.id2.size);
    RawValue key, value;
    if (scanner.value(key) != Scan::Ok || scanner.expect(':') != Scan::Ok || scanner.value(value) != Scan::Ok)
        return hash;
    if (key.text() == "local")
        hash = combine(combine(hash, "local"), event.pid.text());
    return combine(hash, value.text());
}

}  // namespace

std::uint64_t idKey(const Event &event) {
    std::uint64_t hash = combine(1, event.category);
    if (event.scope.present())
        hash = combine(hash, event.scope.text());
    if (event.name.present())
        hash = combine(hash, event.name);
    return withId(hash, event);
}

std::uint64_t bindKey(const Event &event) {
    return combine(combine(2, "bind_id"), event.bindId.text());
}

std::uint64_t objectKey(const Event &event) {
    return withId(combine(combine(combine(3, event.pid.text()), event.scope.text()), event.name), event);
}

}  // namespace wattproof::importers::chrome
