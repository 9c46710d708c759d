#include "importers/xplane/details.h"

#include "importers/copy_kind.h"

#include <charconv>

namespace wattproof::importers::xplane {
namespace {

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool isHost(std::string_view memory) {
    return memory == "pageable" || memory == "pinned";
}

CopyKind directionOf(std::string_view source, std::string_view target) {
    if (isHost(source))
        return isHost(target) ? CopyKind::HostToHost : CopyKind::HostToDevice;
    return isHost(target) ? CopyKind::DeviceToHost : CopyKind::DeviceToDevice;
}

}  // namespace

std::optional<std::string_view> detail(std::string_view details, std::string_view key) {
    for (std::size_t at = details.find(key); at != std::string_view::npos; at = details.find(key, at + 1)) {
        const std::size_t value = at + key.size();
        const bool begins = at == 0 || details[at - 1] == ' ';
        if (!begins || value >= details.size() || details[value] != ':')
            continue;
        return details.substr(value + 1, details.find(' ', value) - value - 1);
    }
    return std::nullopt;
}

std::optional<std::int64_t> wholeDetail(std::string_view details, std::string_view key) {
    const auto value = detail(details, key);
    return value ? wholeNumber(*value) : std::nullopt;
}

std::optional<std::array<std::int64_t, 3>> tripleDetail(std::string_view details, std::string_view key) {
    auto rest = detail(details, key).value_or("");
    std::array<std::int64_t, 3> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t comma = rest.find(',');
        const auto value = wholeNumber(rest.substr(0, comma));
        if (!value || (comma == std::string_view::npos) != (i == 2))
            return std::nullopt;
        values[i] = *value;
        rest.remove_prefix(i == 2 ? rest.size() : comma + 1);
    }
    return values == std::array<std::int64_t, 3>{} ? std::nullopt : std::optional(values);
}

CopyKind copyDirection(std::string_view name, std::string_view details, std::string_view lineName) {
    const auto source = detail(details, "kind_src"), target = detail(details, "kind_dst");
    for (const std::string_view text : {name, detail(details, "kind").value_or(""), lineName})
        if (const CopyKind kind = copyKindOf(text); kind != CopyKind::Other && kind != CopyKind::None)
            return kind;
    return source && target ? directionOf(*source, *target) : CopyKind::Other;
}

}  // namespace wattproof::importers::xplane
