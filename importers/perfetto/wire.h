// Reads protobuf's wire format: the fields of one message in the order in which they stand. Nothing is copied,
// nothing is allocated; what is not well-formed ends the reading and says so.
// Format: https://protobuf.dev/programming-guides/encoding/
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace wattproof::importers::perfetto {

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct Field {
    std::uint32_t id = 0;
    WireType type = WireType::Varint;
    std::uint64_t number = 0;  // of varints and fixed fields
    std::string_view bytes;    // of strings and messages; views the buffer

    [[nodiscard]] bool isBytes() const { return type == WireType::Bytes; }
    [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(number); }
    [[nodiscard]] bool truth() const { return number != 0; }
    // Of a fixed field, by its width; a varint as its value.
    [[nodiscard]] double real() const {
        if (type == WireType::Fixed64)
            return std::bit_cast<double>(number);
        if (type == WireType::Fixed32)
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number)));
        return static_cast<double>(integer());
    }
};

// False at the end of the text, or when it is longer than 64 bits are.
[[nodiscard]] inline bool readVarint(const char *&at, const char *end, std::uint64_t &value) {
    if (at != end && static_cast<unsigned char>(*at) < 0x80) {
        value = static_cast<unsigned char>(*at++);
        return true;
    }
    value = 0;
    for (unsigned shift = 0; shift < 64 && at != end; shift += 7) {
        const auto byte = static_cast<unsigned char>(*at++);
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

class Message {
public:
    explicit Message(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    // The next field; false at the end and at damage.
    [[nodiscard]] bool next(Field &field) {
        if (at_ == end_)
            return false;
        std::uint64_t tag = 0;
        if (!readVarint(at_, end_, tag) || tag >> 3U == 0 || tag >> 3U > kMaxId)
            return fail();
        field.id = static_cast<std::uint32_t>(tag >> 3U);
        field.type = static_cast<WireType>(tag & 7U);
        return value(field) || fail();
    }

    // Whether the reading ended before the message did.
    [[nodiscard]] bool damaged() const { return damaged_; }

private:
    static constexpr std::uint64_t kMaxId = (1U << 29U) - 1;

    bool fail() {
        damaged_ = true;
        at_ = end_;
        return false;
    }

    template <class Number>
    bool fixed(Field &field) {
        Number number = 0;
        if (static_cast<std::size_t>(end_ - at_) < sizeof number)
            return false;
        std::memcpy(&number, at_, sizeof number);
        at_ += sizeof number;
        field.number = number;
        return true;
    }

    bool value(Field &field) {
        switch (field.type) {
            case WireType::Varint:
                return readVarint(at_, end_, field.number);
            case WireType::Fixed64:
                return fixed<std::uint64_t>(field);
            case WireType::Fixed32:
                return fixed<std::uint32_t>(field);
            case WireType::Bytes: {
                std::uint64_t length = 0;
                if (!readVarint(at_, end_, length) || length > static_cast<std::uint64_t>(end_ - at_))
                    return false;
                field.bytes = {at_, static_cast<std::size_t>(length)};
                at_ += length;
                return true;
            }
        }
        return false;
    }

    const char *at_;
    const char *end_;
    bool damaged_ = false;
};

// The numbers of a repeated field, whether packed or one by one: call for each field with its id.
template <class Take>
void eachNumber(const Field &field, Take &&take) {
    if (!field.isBytes())
        return take(field.number);
    const char *at = field.bytes.data();
    const char *const end = at + field.bytes.size();
    for (std::uint64_t number = 0; at != end && readVarint(at, end, number);)
        take(number);
}

// The same for numbers of fixed width.
template <class Number, class Take>
void eachFixed(const Field &field, Take &&take) {
    if (!field.isBytes())
        return take(static_cast<Number>(field.number));
    for (std::size_t at = 0; at + sizeof(Number) <= field.bytes.size(); at += sizeof(Number)) {
        Number number = 0;
        std::memcpy(&number, field.bytes.data() + at, sizeof number);
        take(number);
    }
}

}  // namespace wattproof::importers::perfetto
