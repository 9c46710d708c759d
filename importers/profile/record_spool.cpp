#include "importers/profile/record_spool.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wattproof::importers {
namespace {

constexpr std::size_t kSpoolInMemory = std::size_t{8} << 20U;
constexpr std::size_t kWindow = std::size_t{256} << 10U;
constexpr std::size_t kHeader = sizeof(std::uint64_t) + sizeof(std::uint32_t);

}  // namespace

Status RecordSpool::append(std::string_view record, std::uint64_t fileOffset) {
    const auto length = static_cast<std::uint32_t>(record.size());
    std::array<char, kHeader> header{};
    std::memcpy(header.data(), &fileOffset, sizeof fileOffset);
    std::memcpy(header.data() + sizeof fileOffset, &length, sizeof length);
    buffer_.append(header.data(), header.size()).append(record);
    if (buffer_.size() < kSpoolInMemory)
        return {};
    auto status = file_.append(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
    return status;
}

Status RecordSpool::read(std::uint64_t from, std::span<char> bytes) const {
    const std::uint64_t inFile = file_.size();
    std::size_t fromFile = 0;
    if (from < inFile) {
        fromFile = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), inFile - from));
        if (auto status = file_.read(from, std::as_writable_bytes(bytes.first(fromFile))); !status)
            return status;
    }
    const std::span<char> rest = bytes.subspan(fromFile);
    if (!rest.empty())
        buffer_.copy(rest.data(), rest.size(), static_cast<std::size_t>(from + fromFile - inFile));
    return {};
}

// At least `bytes` from at_ on, if there are so many.
bool RecordSpool::Reader::window(std::size_t bytes) {
    if (window_.size() - at_ >= bytes)
        return true;
    window_.erase(0, at_);
    at_ = 0;
    const std::size_t had = window_.size();
    const std::uint64_t left = end_ - next_;
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max(kWindow, bytes)));
    window_.resize(had + more);
    status_ = spool_.read(next_, std::span(window_).subspan(had));
    next_ += more;
    return status_.has_value() && window_.size() >= bytes;
}

bool RecordSpool::Reader::next(std::string_view &record, std::uint64_t &fileOffset) {
    if (!window(kHeader))
        return false;
    std::uint32_t length = 0;
    std::memcpy(&fileOffset, window_.data() + at_, sizeof fileOffset);
    std::memcpy(&length, window_.data() + at_ + sizeof fileOffset, sizeof length);
    if (!window(kHeader + length))
        return false;
    record = std::string_view(window_).substr(at_ + kHeader, length);
    at_ += kHeader + length;
    return true;
}

}  // namespace wattproof::importers
