// One row in SQLite's record format (https://www.sqlite.org/fileformat2.html, "Record Format"): the serial types of
// its columns, then their values, big-endian.
#pragma once

#include "store/ids.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::store::pages {

inline constexpr std::size_t kLongestVarint = 9;

// Seven bits a byte, the highest first; a ninth byte holds eight. Returns the length.
inline std::size_t putVarint(char *out, std::uint64_t value) {
    if (value < 0x80) {
        *out = static_cast<char>(value);
        return 1;
    }
    if (value > 0x00ff'ffff'ffff'ffffULL) {
        out[8] = static_cast<char>(value);
        value >>= 8U;
        for (int i = 7; i >= 0; --i, value >>= 7U)
            out[i] = static_cast<char>(value | 0x80U);
        return kLongestVarint;
    }
    const auto length = static_cast<std::size_t>((std::bit_width(value) + 6) / 7);
    for (std::size_t i = length; i-- > 0; value >>= 7U)
        out[i] = static_cast<char>((value & 0x7fU) | (i + 1 < length ? 0x80U : 0U));
    return length;
}

template <int Bytes>
void putBigEndian(char *out, std::uint64_t value) {
    for (int i = Bytes - 1; i >= 0; --i, value >>= 8U)
        out[i] = static_cast<char>(value);
}

// Bytes that the format takes for a whole number: 0 and 1 are told by their type alone.
inline std::size_t integerBytes(std::int64_t value) {
    const auto bits = std::bit_width(static_cast<std::uint64_t>(value ^ (value >> 63)));
    if (value == 0 || value == 1)
        return 0;
    if (bits < 32)
        return static_cast<std::size_t>(bits) / 8 + 1;
    return bits < 48 ? 6 : 8;
}

class Record {
public:
    // A row of a table: the column that is the row's id is stored as NULL, because the b-tree holds it.
    template <class... Values>
    void fill(const Values &...values) {
        fillEntry(nullptr, values...);
    }
    // An entry of an index: its columns, then the row's id.
    template <class... Values>
    void fillEntry(const Values &...values) {
        types_ = kTypesAt;
        if (bytes_.size() < body(sizeof...(Values)))
            bytes_.resize(body(sizeof...(Values)) + kSpare);
        body_ = body(sizeof...(Values));
        (add(values), ...);
        close(body(sizeof...(Values)));
    }

    // Header and body as two pieces, to be read one behind the other.
    [[nodiscard]] std::string_view header() const { return {bytes_.data() + headerAt_, types_ - headerAt_}; }
    [[nodiscard]] std::string_view values() const { return {bytes_.data() + bodyAt_, body_ - bodyAt_}; }
    [[nodiscard]] std::size_t size() const { return header().size() + values().size(); }

private:
    // The header's own length comes before the types and is known last: room is left for it.
    static constexpr std::size_t kTypesAt = kLongestVarint, kSpare = 256;
    static constexpr std::size_t body(std::size_t columns) { return kTypesAt + columns * kLongestVarint; }

    void addType(std::uint64_t type) { types_ += putVarint(bytes_.data() + types_, type); }
    void addBytes(const void *data, std::size_t size) {
        if (body_ + size > bytes_.size())
            bytes_.resize(2 * (body_ + size));
        std::memcpy(bytes_.data() + body_, data, size);
        body_ += size;
    }

    template <int Bytes>
    void addInteger(std::uint64_t type, std::int64_t value) {
        char bytes[Bytes];
        putBigEndian<Bytes>(bytes, static_cast<std::uint64_t>(value));
        addType(type);
        addBytes(bytes, Bytes);
    }

    void add(std::nullptr_t) { addType(0); }
    void add(std::int64_t value) {
        switch (integerBytes(value)) {
            case 0:
                return addType(value == 0 ? 8 : 9);
            case 1:
                return addInteger<1>(1, value);
            case 2:
                return addInteger<2>(2, value);
            case 3:
                return addInteger<3>(3, value);
            case 4:
                return addInteger<4>(4, value);
            case 6:
                return addInteger<6>(5, value);
            default:
                return addInteger<8>(6, value);
        }
    }
    void add(std::int32_t value) { add(std::int64_t{value}); }
    // A whole number takes fewer bytes as an integer; the column's affinity makes it a real again. NaN is NULL, as it is
    // when SQLite stores it.
    void add(double value) {
        constexpr double kExact = 140'737'488'355'328.0;  // 2^47
        if (std::isnan(value))
            return add(nullptr);
        if (value == std::floor(value) && std::abs(value) < kExact && !(value == 0 && std::signbit(value)))
            return add(static_cast<std::int64_t>(value));
        char bytes[8];
        putBigEndian<8>(bytes, std::bit_cast<std::uint64_t>(value));
        addType(7);
        addBytes(bytes, sizeof bytes);
    }
    void add(std::string_view text) {
        addType(13 + 2 * std::uint64_t{text.size()});
        addBytes(text.data(), text.size());
    }
    void add(const std::string &text) { add(std::string_view(text)); }
    void add(const char *text) { add(std::string_view(text)); }
    void add(std::span<const std::byte> blob) {
        addType(12 + 2 * std::uint64_t{blob.size()});
        addBytes(blob.data(), blob.size());
    }
    template <class Tag>
    void add(Id<Tag> id) {
        id.valid() ? add(id.value) : add(nullptr);
    }
    template <class T>
    void add(const std::optional<T> &value) {
        value ? add(*value) : add(nullptr);
    }

    // The length counts itself.
    void close(std::size_t bodyAt) {
        bodyAt_ = bodyAt;
        const std::size_t types = types_ - kTypesAt;
        const std::size_t own = types < 0x7f ? 1 : 2;
        headerAt_ = kTypesAt - own;
        putVarint(bytes_.data() + headerAt_, types + own);
    }

    std::vector<char> bytes_;
    std::size_t types_ = 0, body_ = 0, headerAt_ = 0, bodyAt_ = 0;
};

}  // namespace wattproof::store::pages
