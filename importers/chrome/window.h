// The part of the input that is at hand: a reused buffer that moves forward over the file.
#pragma once

#include "importers/input/input.h"

#include <cstdint>
#include <vector>

namespace wattproof::importers::chrome {

class Window {
public:
    // A value larger than this is not read as a whole, whatever the file says.
    static constexpr std::size_t kLargest = std::size_t{64} << 20U;

    explicit Window(Input &input) : input_(input), data_(std::size_t{1} << 20U) {}

    [[nodiscard]] const char *at() const { return data_.data() + begin_; }
    [[nodiscard]] const char *end() const { return data_.data() + end_; }
    [[nodiscard]] std::size_t held() const { return end_ - begin_; }
    [[nodiscard]] std::uint64_t offset(const char *place) const {
        return base_ + static_cast<std::uint64_t>(place - data_.data());
    }
    [[nodiscard]] std::uint64_t offset() const { return offset(at()); }
    void moveTo(const char *place) { begin_ = static_cast<std::size_t>(place - data_.data()); }

    // Reads on behind what is held, which may move it: pointers into the window are invalid afterwards. False when
    // nothing came: at the end of the input, or when as much as `most` is held already.
    [[nodiscard]] Expected<bool> more(std::size_t most = kLargest);

private:
    Input &input_;
    std::vector<char> data_;
    std::size_t begin_ = 0, end_ = 0;
    std::uint64_t base_ = 0;  // position in the file of the buffer's first byte
};

}  // namespace wattproof::importers::chrome
