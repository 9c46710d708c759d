// The packets of a trace, one after the other, through one reused buffer.
#pragma once

#include "importers/input/input.h"
#include "importers/perfetto/wire.h"
#include "store/result.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace wattproof::importers::perfetto {

struct RawPacket {
    std::string_view bytes;    // until the next call
    std::uint64_t offset = 0;  // of its tag, in decompressed bytes
};

class PacketStream {
public:
    using Warn = std::function<void(std::string_view kind, std::string_view message, std::uint64_t offset)>;
    // Fields of the outermost message that are no packets.
    using Other = std::function<void(std::uint32_t id, std::uint64_t offset)>;

    PacketStream(Input &input, Warn warn, Other other)
        : input_(input), warn_(std::move(warn)), other_(std::move(other)), buffer_(kStep) {}

    // False at the end. A cut or damaged file ends there, with a warning.
    [[nodiscard]] Expected<bool> next(RawPacket &);

private:
    enum class Head : std::uint8_t { Packet, Other, End, Cut, Bad };
    static constexpr std::size_t kStep = std::size_t{256} << 10U;

    // Makes `count` bytes stand at at_, if the file has them.
    [[nodiscard]] Expected<bool> need(std::size_t count);
    // True when the next packet lies whole in the buffer, as most do.
    [[nodiscard]] bool inBuffer(RawPacket &);
    [[nodiscard]] Expected<Head> readHead();
    [[nodiscard]] Expected<bool> stop(Head);
    [[nodiscard]] std::uint64_t offset() const { return input_.position() - (filled_ - at_); }

    Input &input_;
    Warn warn_;
    Other other_;
    std::vector<char> buffer_;
    std::size_t at_ = 0, filled_ = 0;
    bool ended_ = false;
    // Of the head at hand.
    std::uint32_t id_ = 0;
    std::size_t headSize_ = 0;
    std::uint64_t length_ = 0;
};

}  // namespace wattproof::importers::perfetto
