#include "importers/input/read_ahead.h"

#include <algorithm>
#include <cstring>

namespace wattproof::importers {

ReadAhead::ReadAhead(Decoder &decoder, const RawBytes &raw)
    : decoder_(decoder),
      raw_(raw),
      consumed_(raw.consumed()),
      thread_([this](const std::stop_token &stop) { work(stop); }) {}

ReadAhead::~ReadAhead() {
    stop();
}

void ReadAhead::stop() {
    {
        const std::lock_guard lock(mutex_);
        thread_.request_stop();
    }
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
    ended_ = true;
}

void ReadAhead::fill(Block &block) {
    if (block.bytes.empty())
        block.bytes.resize(kBlockBytes);
    auto got = readFully(decoder_, block.bytes);
    block.size = got ? *got : 0;
    block.consumed = raw_.consumed();
    if (!got)
        block.error = std::move(got.error());
}

// An empty block ends it.
void ReadAhead::work(const std::stop_token &stop) {
    for (bool more = true; more;) {
        Block *block = nullptr;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return filled_ - taken_ < kBlocks || stop.stop_requested(); });
            if (stop.stop_requested())
                return;
            block = &blocks_[filled_ % kBlocks];
        }
        fill(*block);
        more = block->size > 0;
        {
            const std::lock_guard lock(mutex_);
            ++filled_;
        }
        changed_.notify_all();
    }
}

// The block at hand goes back, the next one comes.
Status ReadAhead::takeBlock() {
    std::unique_lock lock(mutex_);
    if (current_ != nullptr) {
        ++taken_;
        changed_.notify_all();
    }
    changed_.wait(lock, [this] { return filled_ > taken_; });
    current_ = &blocks_[taken_ % kBlocks];
    at_ = 0;
    consumed_ = current_->consumed;
    ended_ = current_->size == 0;
    return current_->error ? Status(tl::unexpected<Error>(*current_->error)) : Status();
}

Expected<std::size_t> ReadAhead::read(std::span<char> buffer) {
    const bool more = !ended_ && (current_ == nullptr || at_ == current_->size);
    if (Status status = more ? takeBlock() : Status(); !status)
        return passOn(status);
    if (ended_ && current_ != nullptr && current_->error)
        return tl::unexpected<Error>(*current_->error);
    if (ended_)
        return 0;
    const std::size_t count = std::min(buffer.size(), current_->size - at_);
    std::memcpy(buffer.data(), current_->bytes.data() + at_, count);
    at_ += count;
    return count;
}

}  // namespace wattproof::importers
