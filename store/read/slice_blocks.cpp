#include "store/read/slice_blocks.h"

#include <algorithm>

namespace wattproof::store {
namespace {

// Readers keep something for every row of a track: a file must not make them keep more than it can mean.
constexpr std::int64_t kMostRows = 65'536;

bool areRows(const std::vector<std::int64_t> &values, const TrackSpan &track) {
    const std::int64_t most = std::max(kMostRows, track.slices());
    return std::all_of(values.begin(), values.end(), [most](std::int64_t row) { return row >= 0 && row < most; });
}

}  // namespace

SliceBlocks::SliceBlocks(const sqlite::Database &database, std::initializer_list<SliceColumn> wanted)
    : database_(database), blob_(database, "slice_block", "data"), wanted_(wanted) {
    std::sort(wanted_.begin(), wanted_.end());
}

Status SliceBlocks::load(const TrackSpan &track, std::int64_t id) {
    const std::int64_t block = track.blockOf(id);
    if (block == firstId_)
        return {};
    firstId_ = 0;
    if (Status status = blob_.open(block); !status)
        return status;
    firstId_ = block;
    Status status = read(track);
    if (!status)
        firstId_ = 0;
    return status;
}

// The columns from the first to the last that is wanted are read in one piece.
Status SliceBlocks::read(const TrackSpan &track) {
    const std::size_t size = blob_.size();
    bytes_.resize(std::min(size, SliceColumnsHead::kMostBytes));
    if (Status status = blob_.read(bytes_, 0); !status)
        return status;
    const auto head = SliceColumnsHead::read(bytes_, size);
    if (!head ||
        static_cast<std::int64_t>(head->slices()) != std::min(kSlicesPerBlock, track.lastId - firstId_ + 1))
        return damaged();
    size_ = head->slices();
    const std::size_t begin = head->place(wanted_.front()).offset;
    const auto &last = head->place(wanted_.back());
    bytes_.resize(last.offset + last.width * size_ - begin);
    if (Status status = blob_.read(bytes_, begin); !status)
        return status;
    for (const SliceColumn column : wanted_) {
        auto &values = values_[static_cast<std::size_t>(column)];
        values.resize(size_);
        head->unpack(column, std::span(bytes_).subspan(head->place(column).offset - begin), values);
    }
    const auto &rows = (*this)[SliceColumn::Row];
    return areRows(rows, track) ? Status() : damaged();
}

Status SliceBlocks::damaged() const {
    return failure("the workspace is damaged: a block of slices cannot be read", database_.path(),
                   "import its sources again");
}

}  // namespace wattproof::store
