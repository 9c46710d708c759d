// Protocol buffer messages of any size and nesting, field by field, through one small buffer: nothing is held but
// the values asked for.
#pragma once

#include "store/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::xplane {

struct WireField {
    enum class Type : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
    std::uint32_t number = 0;
    Type type = Type::Varint;
    std::uint64_t value = 0;   // of a number
    std::uint64_t length = 0;  // of bytes
    std::uint64_t offset = 0;  // in the file: where the field begins

    [[nodiscard]] bool isNumber() const { return type != Type::Bytes; }
    [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(value); }
};

class WireStream {
public:
    // Fills as much of the buffer as there is; 0 at the end.
    using Source = std::function<Expected<std::size_t>(std::span<char>)>;
    explicit WireStream(Source);

    // The next field of the message at hand; what was not taken of the one before is passed over. False at the
    // message's end, and at the file's.
    [[nodiscard]] bool next(WireField &);
    // The bytes field that next() gave is a message: its fields follow, until leave().
    void enter();
    void leave();
    // The bytes of the field that next() gave, valid until the next call. None when they are above `limit` (they
    // are passed over) or the file ends within them.
    [[nodiscard]] std::optional<std::string_view> view(std::size_t limit);

    // Why there is no more: the file ends within a field, or what stands here is no field.
    [[nodiscard]] bool cut() const { return cut_; }
    [[nodiscard]] bool malformed() const { return malformed_; }
    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] const Status &status() const { return status_; }

private:
    [[nodiscard]] bool stopped() const { return cut_ || malformed_ || !status_; }
    [[nodiscard]] bool fill(std::size_t wanted);
    [[nodiscard]] bool varint(std::uint64_t &);
    [[nodiscard]] bool fixed(std::size_t bytes, std::uint64_t &);
    [[nodiscard]] bool value(WireField &);
    void skip(std::uint64_t bytes);
    [[nodiscard]] std::uint64_t end() const { return ends_.back(); }
    [[nodiscard]] bool bad() {
        malformed_ = true;
        return false;
    }

    Source source_;
    std::vector<char> buffer_;
    std::size_t at_ = 0, filled_ = 0;
    std::uint64_t position_ = 0;  // of buffer_[at_]
    std::uint64_t pending_ = 0;   // bytes of the field at hand that were not taken
    std::vector<std::uint64_t> ends_;
    bool cut_ = false, malformed_ = false;
    Status status_;
};

}  // namespace wattproof::importers::xplane
