// A page of a b-tree that is being filled: pointers grow from its header, cells from its end.
#pragma once

#include "store/pages/page_file.h"
#include "store/pages/record.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace wattproof::store::pages {

enum class PageType : char { IndexInterior = 0x02, TableInterior = 0x05, IndexLeaf = 0x0a, TableLeaf = 0x0d };

class BtreePage {
public:
    BtreePage(std::size_t size, PageType type) : bytes_(size), type_(type) { clear(); }

    void clear() {
        std::fill(bytes_.begin(), bytes_.end(), '\0');
        cells_ = 0;
        contentAt_ = bytes_.size();
    }
    [[nodiscard]] bool empty() const { return cells_ == 0; }
    [[nodiscard]] bool fits(std::size_t cell) const {
        return headerSize() + (cells_ + 1) * kPointer + cell <= contentAt_;
    }
    // Where the cell's bytes are to be put; it must fit. Cells come in the order of their keys.
    char *add(std::size_t cell) {
        contentAt_ -= cell;
        putBigEndian<2>(bytes_.data() + headerSize() + cells_ * kPointer, contentAt_);
        ++cells_;
        return bytes_.data() + contentAt_;
    }
    // Header and all; `rightmost` is the child behind the last cell of an interior page.
    [[nodiscard]] std::span<const char> complete(PageNumber rightmost = 0) {
        bytes_[0] = static_cast<char>(type_);
        putBigEndian<2>(bytes_.data() + 3, cells_);
        putBigEndian<2>(bytes_.data() + 5, contentAt_);  // 65,536 is written as 0
        if (isInterior())
            putBigEndian<4>(bytes_.data() + 8, rightmost);
        return bytes_;
    }

private:
    static constexpr std::size_t kPointer = 2;
    [[nodiscard]] bool isInterior() const {
        return type_ == PageType::IndexInterior || type_ == PageType::TableInterior;
    }
    [[nodiscard]] std::size_t headerSize() const { return isInterior() ? 12 : 8; }

    std::vector<char> bytes_;
    PageType type_;
    std::size_t cells_ = 0, contentAt_ = 0;
};

}  // namespace wattproof::store::pages
