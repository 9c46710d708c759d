// Writes protobuf's wire format, for small traces in tests and for generated ones.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace wattproof::test {

class Wire {
public:
    Wire &number(std::uint32_t field, std::uint64_t value) {
        varint(std::uint64_t{field} << 3U);
        varint(value);
        return *this;
    }
    Wire &text(std::uint32_t field, std::string_view value) {
        varint((std::uint64_t{field} << 3U) | 2U);
        varint(value.size());
        bytes_ += value;
        return *this;
    }
    Wire &message(std::uint32_t field, const Wire &value) { return text(field, value.bytes_); }
    Wire &fixed(std::uint32_t field, std::uint64_t value) {
        varint((std::uint64_t{field} << 3U) | 1U);
        for (unsigned shift = 0; shift < 64; shift += 8)
            bytes_ += static_cast<char>((value >> shift) & 0xffU);
        return *this;
    }
    Wire &real(std::uint32_t field, double value) { return fixed(field, std::bit_cast<std::uint64_t>(value)); }

    [[nodiscard]] const std::string &bytes() const { return bytes_; }
    void clear() { bytes_.clear(); }

private:
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U)
            bytes_ += static_cast<char>((value & 0x7fU) | 0x80U);
        bytes_ += static_cast<char>(value);
    }

    std::string bytes_;
};

}  // namespace wattproof::test
