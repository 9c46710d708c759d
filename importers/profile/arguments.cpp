#include "importers/profile/arguments.h"

#include "importers/text/mended.h"

#include <array>
#include <charconv>
#include <cmath>

namespace wattproof::importers {
namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kRememberedShapes = 4096;

// The beginning of a long text, cut between two characters.
std::string shortened(std::string_view text) {
    if (text.size() > kLongestText) {
        std::size_t end = kLongestText;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
            --end;
        text = text.substr(0, end);
    }
    return mendedText(text);
}

template <class Number>
void appendNumber(std::string &out, Number value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), end);
}

}  // namespace

void ProfileArguments::clear() {
    keys_.clear();
    values_.clear();
}

void ProfileArguments::key(std::string_view name) {
    keys_ += keys_.empty() ? '[' : ',';
    values_ += values_.empty() ? '[' : ',';
    appendMended(keys_, shortened(name));
}

void ProfileArguments::text(std::string_view name, std::string_view value) {
    key(name);
    appendMended(values_, shortened(value));
}

void ProfileArguments::integer(std::string_view name, std::int64_t value) {
    key(name);
    appendNumber(values_, value);
}

void ProfileArguments::natural(std::string_view name, std::uint64_t value) {
    key(name);
    appendNumber(values_, value);
}

void ProfileArguments::real(std::string_view name, double value) {
    key(name);
    if (std::isfinite(value))
        appendNumber(values_, value);
    else
        values_ += "null";
}

std::int64_t ProfileArguments::shapeOf() {
    if (const auto found = shapes_.find(keys_); found != shapes_.end())
        return found->second;
    const std::int64_t shape = writer_.internArgShape(keys_);
    if (shapes_.size() < kRememberedShapes)
        shapes_.emplace(keys_, shape);
    return shape;
}

ArgSetId ProfileArguments::write() {
    if (keys_.empty())
        return {};
    keys_ += ']';
    values_ += ']';
    const ArgSetId id = writer_.addArgs(shapeOf(), values_);
    clear();
    return id;
}

}  // namespace wattproof::importers
