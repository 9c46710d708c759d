// Numbers as bytes: small ones short. Independent of the machine's byte order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace wattproof::store {

class Packer {
public:
    void number(std::uint64_t value) {
        while (value >= 0x80) {
            bytes_.push_back(static_cast<char>(value | 0x80U));
            value >>= 7U;
        }
        bytes_.push_back(static_cast<char>(value));
    }
    // Small in size, of either sign.
    void difference(std::int64_t value) {
        number((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
    }
    void real(double value) {
        auto bits = std::bit_cast<std::uint64_t>(value);
        for (int i = 0; i < 8; ++i, bits >>= 8U)
            bytes_.push_back(static_cast<char>(bits));
    }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    [[nodiscard]] std::string take() { return std::exchange(bytes_, {}); }

private:
    std::string bytes_;
};

// Reads what Packer wrote. Past the end everything is 0 and atEnd() is true: a damaged file cannot lead it astray.
class Unpacker {
public:
    explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool atEnd() const { return position_ >= bytes_.size(); }
    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && position_ < bytes_.size(); shift += 7) {
            const auto byte = static_cast<std::uint64_t>(bytes_[position_++]);
            value |= (byte & 0x7fU) << shift;
            if ((byte & 0x80U) == 0)
                break;
        }
        return value;
    }
    [[nodiscard]] std::int64_t difference() {
        const std::uint64_t value = number();
        return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
    }
    [[nodiscard]] double real() {
        std::uint64_t bits = 0;
        for (unsigned shift = 0; shift < 64 && position_ < bytes_.size(); shift += 8)
            bits |= static_cast<std::uint64_t>(bytes_[position_++]) << shift;
        return std::bit_cast<double>(bits);
    }

private:
    std::span<const std::byte> bytes_;
    std::size_t position_ = 0;
};

}  // namespace wattproof::store
