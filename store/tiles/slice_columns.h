// The slices of one block, column by column: a scan of millions reads a few bytes of each and only the columns it
// wants. A column holds its least value once and the distance of each slice from it in 0, 1, 2, 4 or 8 bytes.
//
//   head   number of slices; for each column its width and its least value (store/tiles/packing.h)
//   body   the columns in the order of SliceColumn, least significant byte first
#pragma once

#include "store/rows.h"
#include "store/tiles/track_blocks.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace wattproof::store {

// Those that most scans want stand first and side by side.
enum class SliceColumn : std::uint8_t {
    Name,
    Dur,
    Ts,
    Row,
    Parent,  // how many ids before the slice its parent is; 0 = it has none
    Flags,
    Category,
    RowAboveDepth,  // row - depth
    Count
};
inline constexpr std::size_t kSliceColumnCount = static_cast<std::size_t>(SliceColumn::Count);

// At most kSlicesPerBlock slices as the writer has them: ids and parents set.
[[nodiscard]] std::string packSliceColumns(std::span<const SliceRow> slices);

// Where each column of a packed block lies.
class SliceColumnsHead {
public:
    static constexpr std::size_t kMostBytes = 112;

    // `bytes`: the first kMostBytes of the block, or all of it; `size`: bytes of the whole block. Nothing when
    // they are not what packSliceColumns() makes.
    [[nodiscard]] static std::optional<SliceColumnsHead> read(std::span<const std::byte> bytes, std::size_t size);

    struct Place {
        std::size_t offset = 0;  // in the block
        std::size_t width = 0;   // bytes a slice
        std::int64_t least = 0;
    };
    [[nodiscard]] std::size_t slices() const { return slices_; }
    [[nodiscard]] const Place &place(SliceColumn column) const {
        return places_[static_cast<std::size_t>(column)];
    }
    // `bytes`: those of the column. `values`: as many as there are slices.
    void unpack(SliceColumn column, std::span<const std::byte> bytes, std::span<std::int64_t> values) const;

private:
    std::size_t slices_ = 0;
    std::array<Place, kSliceColumnCount> places_{};
};

}  // namespace wattproof::store
