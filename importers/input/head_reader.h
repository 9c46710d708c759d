// The first bytes of a reader, kept for probes, then handed out before all others.
#pragma once

#include "importers/input/decoder.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace wattproof::importers {

class HeadReader {
public:
    // Takes the head from a reader (a Decoder, or alike); what was kept before is replaced.
    template <class Reader>
    [[nodiscard]] Status fill(Reader &reader) {
        constexpr std::size_t kHeadBytes = std::size_t{64} << 10U;
        head_.resize(kHeadBytes);
        auto filled = readFully(reader, head_);
        if (!filled)
            return passOn(filled);
        head_.resize(*filled);
        return {};
    }

    [[nodiscard]] std::span<const char> head() const { return head_; }
    // Bytes handed out.
    [[nodiscard]] std::uint64_t position() const { return position_; }

    // What is left of the head, then what the reader still has.
    template <class Reader>
    [[nodiscard]] Expected<std::size_t> read(Reader &rest, std::span<char> buffer) {
        std::size_t filled = 0;
        if (position_ < head_.size()) {
            filled = std::min(buffer.size(), head_.size() - static_cast<std::size_t>(position_));
            std::copy_n(head_.data() + position_, filled, buffer.data());
        }
        auto got = readFully(rest, buffer.subspan(filled));
        if (!got)
            return got;
        position_ += filled + *got;
        return filled + *got;
    }

private:
    std::vector<char> head_;
    std::uint64_t position_ = 0;
};

}  // namespace wattproof::importers
