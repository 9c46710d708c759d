#include "importers/perfetto/packet_stream.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace wattproof::importers::perfetto {
namespace {

constexpr std::size_t kLongestHead = 20;  // two varints
constexpr std::uint32_t kPacketField = 1;
// The tracing service writes packets of at most some hundred KiB; what states more than this is no packet.
constexpr std::uint64_t kLargestPacket = std::uint64_t{1} << 29U;

}  // namespace

Expected<bool> PacketStream::need(std::size_t count) {
    while (filled_ - at_ < count && !ended_) {
        std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
        filled_ -= at_;
        at_ = 0;
        // Grows with what was really read, never by a length that the file states.
        if (filled_ == buffer_.size())
            buffer_.resize(buffer_.size() * 2);
        auto got = input_.read(std::span(buffer_).subspan(filled_));
        if (!got)
            return passOn(got);
        ended_ = *got == 0;
        filled_ += *got;
    }
    return filled_ - at_ >= count;
}

Expected<PacketStream::Head> PacketStream::readHead() {
    if (auto whole = need(kLongestHead); !whole)
        return passOn(whole);
    if (at_ == filled_)
        return Head::End;
    const char *const begin = buffer_.data() + at_;
    const char *const end = buffer_.data() + filled_;
    const char *next = begin;
    std::uint64_t tag = 0;
    const auto cutOrBad = [&] { return next == end && end - begin < 10 ? Head::Cut : Head::Bad; };
    if (!readVarint(next, end, tag))
        return cutOrBad();
    id_ = static_cast<std::uint32_t>(tag >> 3U);
    const auto type = static_cast<WireType>(tag & 7U);
    length_ = 0;
    if (tag >> 3U == 0 || tag >> 3U >= (1U << 29U) || (id_ == kPacketField && type != WireType::Bytes))
        return Head::Bad;
    if (type == WireType::Fixed64 || type == WireType::Fixed32)
        length_ = type == WireType::Fixed64 ? 8 : 4;
    else if (type != WireType::Bytes && type != WireType::Varint)
        return Head::Bad;
    else if (std::uint64_t number = 0; !readVarint(next, end, number))
        return cutOrBad();
    else if (type == WireType::Bytes)
        length_ = number;
    headSize_ = static_cast<std::size_t>(next - begin);
    if (length_ > kLargestPacket)
        return Head::Bad;
    return id_ == kPacketField ? Head::Packet : Head::Other;
}

Expected<bool> PacketStream::stop(Head why) {
    const std::uint64_t place = offset();
    if (!input_.damage().empty())
        warn_("truncated_input", input_.damage() + ".", place);
    else if (why == Head::Cut)
        warn_("truncated_input", "The file ends in the middle of a packet; everything before it was read.", place);
    else if (why == Head::Bad)
        warn_("malformed_packet",
              "What stands here is no packet (an impossible field or length); reading ended, everything before it "
              "was read.",
              place);
    at_ = filled_ = 0;
    ended_ = true;
    return false;
}

bool PacketStream::inBuffer(RawPacket &packet) {
    constexpr auto kTag = static_cast<char>((kPacketField << 3U) | static_cast<std::uint32_t>(WireType::Bytes));
    if (filled_ - at_ < kLongestHead || buffer_[at_] != kTag)
        return false;
    const char *const begin = buffer_.data() + at_;
    const char *next = begin + 1;
    std::uint64_t length = 0;
    if (!readVarint(next, begin + kLongestHead, length))
        return false;
    const auto head = static_cast<std::size_t>(next - begin);
    if (length > filled_ - at_ - head)
        return false;
    packet = {{next, static_cast<std::size_t>(length)}, offset()};
    at_ += head + static_cast<std::size_t>(length);
    return true;
}

Expected<bool> PacketStream::next(RawPacket &packet) {
    if (inBuffer(packet))
        return true;
    for (;;) {
        auto head = readHead();
        if (!head)
            return passOn(head);
        if (*head != Head::Packet && *head != Head::Other)
            return stop(*head);
        const std::size_t size = headSize_ + static_cast<std::size_t>(length_);
        auto whole = need(size);
        if (!whole)
            return passOn(whole);
        if (!*whole)
            return stop(Head::Cut);
        const std::uint64_t place = offset();
        const std::string_view bytes{buffer_.data() + at_ + headSize_, static_cast<std::size_t>(length_)};
        at_ += size;
        if (*head == Head::Packet) {
            packet = {bytes, place};
            return true;
        }
        other_(id_, place);
    }
}

}  // namespace wattproof::importers::perfetto
