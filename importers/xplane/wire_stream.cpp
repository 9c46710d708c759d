#include "importers/xplane/wire_stream.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wattproof::importers::xplane {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;
constexpr std::size_t kDeepest = 64;

}  // namespace

WireStream::WireStream(Source source)
    : source_(std::move(source)), buffer_(kBufferBytes), ends_{std::numeric_limits<std::uint64_t>::max()} {}

// At least `wanted` bytes from at_ on; false at the end of the file.
bool WireStream::fill(std::size_t wanted) {
    if (filled_ - at_ >= wanted)
        return true;
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
    filled_ -= at_;
    at_ = 0;
    if (wanted > buffer_.size())
        buffer_.resize(wanted);
    while (filled_ < wanted) {
        auto got = source_(std::span(buffer_).subspan(filled_));
        if (!got) {
            status_ = passOn(got);
            return false;
        }
        if (*got == 0)
            return false;
        filled_ += *got;
    }
    return true;
}

bool WireStream::varint(std::uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (position_ >= end())
            return bad();
        if (!fill(1)) {
            cut_ = true;
            return false;
        }
        const auto byte = static_cast<unsigned char>(buffer_[at_++]);
        ++position_;
        if (shift < 64)
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if ((byte & 0x80U) == 0)
            return true;
    }
    return bad();
}

bool WireStream::fixed(std::size_t bytes, std::uint64_t &value) {
    if (end() - position_ < bytes)
        return bad();
    if (!fill(bytes)) {
        cut_ = true;
        return false;
    }
    value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(buffer_[at_ + i])) << (8 * i);
    at_ += bytes;
    position_ += bytes;
    return true;
}

void WireStream::skip(std::uint64_t bytes) {
    while (bytes > 0 && !stopped()) {
        if (at_ == filled_ && !fill(1)) {
            cut_ = true;
            return;
        }
        const auto step = std::min<std::uint64_t>(bytes, filled_ - at_);
        at_ += static_cast<std::size_t>(step);
        position_ += step;
        bytes -= step;
    }
}

bool WireStream::value(WireField &field) {
    switch (field.type) {
        case WireField::Type::Varint:
            return varint(field.value);
        case WireField::Type::Fixed64:
            return fixed(8, field.value);
        case WireField::Type::Fixed32:
            return fixed(4, field.value);
        case WireField::Type::Bytes:
            break;
    }
    if (field.type != WireField::Type::Bytes || !varint(field.length))
        return field.type == WireField::Type::Bytes ? false : bad();
    if (field.length > end() - position_)
        return bad();
    pending_ = field.length;
    return true;
}

bool WireStream::next(WireField &field) {
    skip(std::exchange(pending_, 0));
    if (stopped() || position_ >= end())
        return false;
    field = {};
    field.offset = position_;
    if (ends_.size() == 1 && !fill(1))
        return false;  // the file ends where it may
    std::uint64_t tag = 0;
    if (!varint(tag))
        return false;
    field.number = static_cast<std::uint32_t>(tag >> 3U);
    field.type = static_cast<WireField::Type>(tag & 7U);
    if (field.number == 0 || tag >> 32U != 0)
        return bad();
    return value(field);
}

void WireStream::enter() {
    if (ends_.size() >= kDeepest)
        malformed_ = true;
    ends_.push_back(position_ + std::exchange(pending_, 0));
}

void WireStream::leave() {
    pending_ = 0;
    if (position_ < end())
        skip(end() - position_);
    ends_.pop_back();
}

std::optional<std::string_view> WireStream::view(std::size_t limit) {
    if (pending_ > limit || stopped())
        return std::nullopt;
    const auto bytes = static_cast<std::size_t>(std::exchange(pending_, 0));
    if (!fill(bytes)) {
        cut_ = cut_ || status_.has_value();
        return std::nullopt;
    }
    const std::string_view text(buffer_.data() + at_, bytes);
    at_ += bytes;
    position_ += bytes;
    return text;
}

}  // namespace wattproof::importers::xplane
