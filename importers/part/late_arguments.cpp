#include "importers/part/late_arguments.h"

#include <algorithm>
#include <span>

namespace wattproof::importers {
namespace {

constexpr std::size_t kTextBuffer = std::size_t{1} << 20U;
constexpr std::size_t kBlock = 4096;

}  // namespace

ArgSetId LateArguments::add(std::int64_t shape, std::string_view values) {
    newPlaces_.push_back({shape, textBytes_, values.size()});
    newTexts_.append(values);
    textBytes_ += values.size();
    if ((newTexts_.size() >= kTextBuffer || newPlaces_.size() >= kBlock) && status_)
        status_ = flush();
    return ArgSetId(static_cast<std::int64_t>(++count_));
}

Status LateArguments::flush() {
    Status status = texts_.append(std::as_bytes(std::span(newTexts_)));
    if (status)
        status = places_.append(std::as_bytes(std::span(newPlaces_)));
    newTexts_.clear();
    newPlaces_.clear();
    block_.clear();
    return status;
}

Expected<LateArguments::Place> LateArguments::placeOf(std::uint64_t index) {
    if (index < blockFirst_ || index >= blockFirst_ + block_.size()) {
        blockFirst_ = index / kBlock * kBlock;
        block_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, count_ - blockFirst_)));
        const auto bytes = std::as_writable_bytes(std::span(block_));
        if (Status status = places_.read(blockFirst_ * sizeof(Place), bytes); !status)
            return passOn(status);
    }
    return block_[static_cast<std::size_t>(index - blockFirst_)];
}

Expected<ArgSetId> LateArguments::give(ArgSetId waiting, store::BulkWriter &writer) {
    if (status_ && !newPlaces_.empty())
        status_ = flush();
    if (!status_)
        return tl::unexpected<Error>(status_.error());
    if (!waiting.valid())
        return waiting;
    auto place = placeOf(static_cast<std::uint64_t>(waiting.value) - 1);
    if (!place)
        return passOn(place);
    buffer_.resize(static_cast<std::size_t>(place->length));
    if (Status status = texts_.read(place->offset, std::as_writable_bytes(std::span(buffer_))); !status)
        return passOn(status);
    return writer.addArgs(place->shape, buffer_);
}

}  // namespace wattproof::importers
