#include "importers/chrome/dialects/work_facts.h"

#include "importers/chrome/decimal.h"

#include <algorithm>

namespace wattproof::importers::chrome {
std::optional<std::int64_t> integerOf(const RawValue *value) {
    return value && (value->kind == ValueKind::Number || value->kind == ValueKind::String) ? integer(value->text())
                                                                                           : std::nullopt;
}

std::optional<std::array<std::int64_t, 3>> triple(const RawValue *value) {
    if (!value || value->kind != ValueKind::Array)
        return std::nullopt;
    Scanner scanner(value->data + 1, value->data + value->size);
    std::array<std::int64_t, 3> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        RawValue number;
        bool more = false;
        if (scanner.value(number) != Scan::Ok || scanner.separator(']', more) != Scan::Ok || more != (i < 2))
            return std::nullopt;
        const auto parsed = integerOf(&number);
        if (!parsed)
            return std::nullopt;
        numbers[i] = *parsed;
    }
    return numbers == std::array<std::int64_t, 3>{} ? std::nullopt : std::optional(numbers);
}

std::string textOr(const Event &event, std::string_view key, const std::string &otherwise) {
    const RawValue *value = event.argument(key);
    std::string scratch;
    return value && value->present() ? std::string(plainText(*value, scratch)) : otherwise;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool isDigits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace wattproof::importers::chrome
