#include "importers/chrome/window.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace wattproof::importers::chrome {

Expected<bool> Window::more(std::size_t most) {
    if (held() >= most)
        return false;
    if (begin_ > 0) {
        std::memmove(data_.data(), at(), held());
        base_ += begin_;
        end_ -= begin_;
        begin_ = 0;
    }
    if (end_ > data_.size() / 2)
        data_.resize(std::min(data_.size() * 2, kLargest));
    auto got = input_.read(std::span(data_).subspan(end_));
    if (!got)
        return passOn(got);
    end_ += *got;
    return *got > 0;
}

}  // namespace wattproof::importers::chrome
