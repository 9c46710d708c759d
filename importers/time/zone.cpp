#include "importers/time/zone.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace wattproof::importers {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::size_t kMaxFile = std::size_t{1} << 20U;

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

// "+02:00", "-0530", "+2" in seconds.
std::optional<std::int64_t> fixedOffset(std::string_view text) {
    if (text.size() < 2 || (text[0] != '+' && text[0] != '-'))
        return std::nullopt;
    std::string digits;
    for (const char c : text.substr(1))
        if (c >= '0' && c <= '9')
            digits += c;
        else if (c != ':')
            return std::nullopt;
    if (digits.empty() || digits.size() > 4)
        return std::nullopt;
    const int number = std::atoi(digits.c_str());
    const int hours = digits.size() <= 2 ? number : number / 100;
    const int minutes = digits.size() <= 2 ? 0 : number % 100;
    if (hours > 18 || minutes > 59)
        return std::nullopt;
    const std::int64_t seconds = hours * std::int64_t{3600} + minutes * std::int64_t{60};
    return text[0] == '-' ? -seconds : seconds;
}

bool plainName(std::string_view name) {
    if (name.empty() || name.front() == '/' || name.find("..") != std::string_view::npos || name.size() > 100)
        return false;
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '/' ||
               c == '_' || c == '-' || c == '+';
    });
}

std::string readDatabaseFile(std::string_view name) {
    const char *folder = std::getenv("TZDIR");
    std::ifstream in(std::string(folder && *folder ? folder : "/usr/share/zoneinfo") + "/" + std::string(name),
                     std::ios::binary);
    std::string bytes(kMaxFile, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(in.gcount() > 0 ? static_cast<std::size_t>(in.gcount()) : 0);
    return bytes;
}

// Big-endian numbers of a TZif file; reading beyond its end sets failed.
class TzifBytes {
public:
    explicit TzifBytes(std::string_view bytes) : bytes_(bytes) {}
    [[nodiscard]] std::int64_t number(std::size_t width) {
        if (bytes_.size() - at_ < width) {
            failed_ = true;
            return 0;
        }
        std::uint64_t value = static_cast<unsigned char>(bytes_[at_]) >= 0x80 ? ~std::uint64_t{0} : 0;
        for (std::size_t i = 0; i < width; ++i)
            value = (value << 8U) | static_cast<unsigned char>(bytes_[at_ + i]);
        at_ += width;
        return static_cast<std::int64_t>(value);
    }
    void skip(std::uint64_t count) {
        failed_ = failed_ || count > bytes_.size() - at_;
        at_ = failed_ ? bytes_.size() : at_ + static_cast<std::size_t>(count);
    }
    [[nodiscard]] std::string_view rest() const { return bytes_.substr(at_); }
    [[nodiscard]] bool failed() const { return failed_; }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

struct TzifHeader {
    std::uint64_t isUtc = 0, isStandard = 0, leaps = 0, times = 0, types = 0, characters = 0;
    [[nodiscard]] std::uint64_t bodySize(std::uint64_t timeWidth) const {
        return times * (timeWidth + 1) + types * 6 + characters + leaps * (timeWidth + 4) + isStandard + isUtc;
    }
};

std::optional<TzifHeader> readHeader(TzifBytes &bytes) {
    if (!bytes.rest().starts_with("TZif"))
        return std::nullopt;
    bytes.skip(20);
    TzifHeader header;
    for (std::uint64_t *field :
         {&header.isUtc, &header.isStandard, &header.leaps, &header.times, &header.types, &header.characters}) {
        const std::int64_t value = bytes.number(4);
        if (value < 0 || value > static_cast<std::int64_t>(kMaxFile))
            return std::nullopt;
        *field = static_cast<std::uint64_t>(value);
    }
    return bytes.failed() || header.types == 0 ? std::nullopt : std::optional(header);
}

}  // namespace

std::optional<TimeZone> TimeZone::fromTzif(std::string_view name, std::string_view content) {
    TzifBytes bytes(content);
    const auto first = readHeader(bytes);
    if (!first)
        return std::nullopt;
    bytes.skip(first->bodySize(4));  // the 32-bit block of old readers
    const auto header = readHeader(bytes);
    if (!header || header->bodySize(8) > bytes.rest().size())
        return std::nullopt;
    std::vector<std::int64_t> times, kinds, offsets;
    for (std::uint64_t i = 0; i < header->times; ++i)
        times.push_back(bytes.number(8));
    for (std::uint64_t i = 0; i < header->times; ++i)
        kinds.push_back(bytes.number(1) & 0xFF);
    for (std::uint64_t i = 0; i < header->types; ++i) {
        offsets.push_back(bytes.number(4));
        bytes.skip(2);
    }
    bytes.skip(header->characters + header->leaps * 12 + header->isStandard + header->isUtc);
    TimeZone zone;
    zone.name_ = std::string(name);
    zone.initial_ = offsets.front();
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (static_cast<std::size_t>(kinds[i]) >= offsets.size() || (i > 0 && times[i] < times[i - 1]))
            return std::nullopt;
        zone.transitions_.push_back({times[i], offsets[static_cast<std::size_t>(kinds[i])]});
    }
    std::string_view footer = bytes.rest();
    if (footer.size() >= 2 && footer.front() == '\n')
        zone.rule_ = PosixRule::parse(footer.substr(1, footer.find('\n', 1) - 1));
    return bytes.failed() ? std::nullopt : std::optional(std::move(zone));
}

Expected<TimeZone> TimeZone::named(std::string_view name) {
    TimeZone zone;
    if (name.empty() || name == "UTC" || name == "Z" || name == "utc")
        return zone;
    if (const auto offset = fixedOffset(name)) {
        zone.name_ = std::string(name);
        zone.initial_ = *offset;
        return zone;
    }
    if (plainName(name))
        if (auto found = fromTzif(name, readDatabaseFile(name)))
            return std::move(*found);
    return failure(
        "the time zone \"" + std::string(name) + "\" is not known", {},
        "use UTC, an offset such as +02:00, or a name of the system's tz database such as Europe/Berlin");
}

std::int64_t TimeZone::offsetAt(std::int64_t utcSeconds) const {
    const auto after =
        std::upper_bound(transitions_.begin(), transitions_.end(), utcSeconds,
                         [](std::int64_t t, const Transition &transition) { return t < transition.at; });
    if (after == transitions_.end() && rule_)
        return rule_->offsetAt(utcSeconds);
    return after == transitions_.begin() ? initial_ : std::prev(after)->offset;
}

TimeZone::Utc TimeZone::toUtc(Ns local) const {
    constexpr std::int64_t day = 86400;
    const std::int64_t seconds = floorDivide(local, kSecondNs);
    const std::int64_t before = offsetAt(seconds - day);
    const std::int64_t after = offsetAt(seconds + day);
    const bool beforeFits = offsetAt(seconds - before) == before;
    const bool afterFits = offsetAt(seconds - after) == after;
    const auto utc = [local](std::int64_t offset) { return local - offset * kSecondNs; };
    if (before != after && beforeFits && afterFits)
        return {utc(std::max(before, after)), utc(std::min(before, after))};
    return {utc(beforeFits || !afterFits ? before : after), std::nullopt};
}

}  // namespace wattproof::importers
