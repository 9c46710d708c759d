// Builds small XPlane files for tests, field by field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <protozero/pbf_writer.hpp>

namespace wattproof::test {

// A message under construction: number, text or message fields in the order of the calls.
class Message {
public:
    Message &number(std::uint32_t field, std::int64_t value) {
        protozero::pbf_writer(bytes_).add_int64(field, value);
        return *this;
    }
    Message &real(std::uint32_t field, double value) {
        protozero::pbf_writer(bytes_).add_double(field, value);
        return *this;
    }
    Message &text(std::uint32_t field, std::string_view value) {
        protozero::pbf_writer(bytes_).add_bytes(field, value.data(), value.size());
        return *this;
    }
    Message &message(std::uint32_t field, const Message &inner) { return text(field, inner.bytes_); }
    [[nodiscard]] const std::string &bytes() const { return bytes_; }

private:
    std::string bytes_;
};

// Entry of a map id → metadata, as planes keep the names of events (field 4) and statistics (field 5).
inline Message named(std::int64_t id, std::string_view name) {
    return Message().number(1, id).message(2, Message().number(1, id).text(2, name));
}

inline Message xevent(std::int64_t kind, std::int64_t offsetPs, std::int64_t durationPs) {
    return Message().number(1, kind).number(2, offsetPs).number(3, durationPs);
}

inline Message textStat(std::int64_t id, std::string_view value) {
    return Message().number(1, id).text(5, value);
}

inline Message numberStat(std::int64_t id, std::int64_t value) {
    return Message().number(1, id).number(4, value);
}

}  // namespace wattproof::test
