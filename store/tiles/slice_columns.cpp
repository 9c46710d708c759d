#include "store/tiles/slice_columns.h"

#include "store/slice_flags.h"
#include "store/tiles/packing.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace wattproof::store {
namespace {

std::size_t widthOf(std::uint64_t most) {
    const std::size_t bytes = (static_cast<std::size_t>(std::bit_width(most)) + 7) / 8;
    return bytes == 0 ? 0 : std::bit_ceil(bytes);
}

template <class Word>
Word littleEndian(Word word) {
    if constexpr (std::endian::native == std::endian::big) {
        auto bytes = std::bit_cast<std::array<std::byte, sizeof(Word)>>(word);
        std::reverse(bytes.begin(), bytes.end());
        return std::bit_cast<Word>(bytes);
    }
    return word;
}

template <class Word>
void narrow(std::span<const std::uint64_t> distances, char *to) {
    for (const std::uint64_t distance : distances) {
        const Word word = littleEndian(static_cast<Word>(distance));
        std::memcpy(to, &word, sizeof word);
        to += sizeof word;
    }
}

template <class Word>
void widen(const std::byte *from, std::int64_t least, std::span<std::int64_t> values) {
    for (std::int64_t &value : values) {
        Word word;
        std::memcpy(&word, from, sizeof word);
        value = static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + littleEndian(word));
        from += sizeof word;
    }
}

class ColumnsPacker {
public:
    explicit ColumnsPacker(std::span<const SliceRow> slices) : slices_(slices) {
        head_.number(slices.size());
        body_.reserve(slices.size() * kUsualBytes);
    }

    template <class Value>
    void add(Value value) {
        std::int64_t least = value(slices_.front()), most = least;
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            const std::int64_t v = value(slices_[i]);
            least = std::min(least, v);
            most = std::max(most, v);
            distances_[i] = static_cast<std::uint64_t>(v);
        }
        const auto base = static_cast<std::uint64_t>(least);
        const std::size_t width = widthOf(static_cast<std::uint64_t>(most) - base);
        head_.number(width);
        head_.difference(least);
        for (std::size_t i = 0; i < slices_.size(); ++i)
            distances_[i] -= base;
        append(width);
    }

    [[nodiscard]] std::string take() { return head_.take() + body_; }

private:
    static constexpr std::size_t kUsualBytes = 20;

    void append(std::size_t width) {
        const std::size_t at = body_.size();
        body_.resize(at + width * slices_.size());
        const std::span<const std::uint64_t> distances(distances_.data(), slices_.size());
        switch (width) {
            case 1:
                return narrow<std::uint8_t>(distances, body_.data() + at);
            case 2:
                return narrow<std::uint16_t>(distances, body_.data() + at);
            case 4:
                return narrow<std::uint32_t>(distances, body_.data() + at);
            case 8:
                return narrow<std::uint64_t>(distances, body_.data() + at);
            default:
                return;
        }
    }

    std::span<const SliceRow> slices_;
    Packer head_;
    std::string body_;
    std::array<std::uint64_t, kSlicesPerBlock> distances_;
};

}  // namespace

// In the order of SliceColumn.
std::string packSliceColumns(std::span<const SliceRow> slices) {
    ColumnsPacker packer(slices);
    packer.add([](const SliceRow &s) { return s.name.value; });
    packer.add([](const SliceRow &s) { return s.dur; });
    packer.add([](const SliceRow &s) { return s.ts; });
    packer.add([](const SliceRow &s) { return std::int64_t{s.row}; });
    packer.add([](const SliceRow &s) { return s.parent.valid() ? s.id.value - s.parent.value : 0; });
    packer.add([](const SliceRow &s) { return std::int64_t{flagsOf(s)}; });
    packer.add([](const SliceRow &s) { return s.category.value; });
    packer.add([](const SliceRow &s) { return std::int64_t{s.row} - s.depth; });
    return packer.take();
}

std::optional<SliceColumnsHead> SliceColumnsHead::read(std::span<const std::byte> bytes, std::size_t size) {
    Unpacker unpacker(bytes);
    SliceColumnsHead head;
    const std::uint64_t slices = unpacker.number();
    if (slices == 0 || slices > static_cast<std::uint64_t>(kSlicesPerBlock))
        return std::nullopt;
    head.slices_ = static_cast<std::size_t>(slices);
    for (Place &place : head.places_) {
        const std::uint64_t width = unpacker.number();
        if (width > 8 || (width != 0 && !std::has_single_bit(width)))
            return std::nullopt;
        place.width = static_cast<std::size_t>(width);
        place.least = unpacker.difference();
    }
    std::size_t offset = unpacker.position();
    for (Place &place : head.places_) {
        place.offset = offset;
        offset += place.width * head.slices_;
    }
    return offset == size ? std::optional(head) : std::nullopt;
}

void SliceColumnsHead::unpack(SliceColumn column, std::span<const std::byte> bytes,
                              std::span<std::int64_t> values) const {
    const Place &where = place(column);
    switch (where.width) {
        case 0:
            return std::fill(values.begin(), values.end(), where.least);
        case 1:
            return widen<std::uint8_t>(bytes.data(), where.least, values);
        case 2:
            return widen<std::uint16_t>(bytes.data(), where.least, values);
        case 4:
            return widen<std::uint32_t>(bytes.data(), where.least, values);
        default:
            return widen<std::uint64_t>(bytes.data(), where.least, values);
    }
}

}  // namespace wattproof::store
