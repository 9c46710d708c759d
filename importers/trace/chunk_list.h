// A growing list that never moves what it holds: chunks of two megabytes, which the system may back by huge pages. The
// first touch of fresh memory is dear, and a vector that grows touches it twice.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include <sys/mman.h>

namespace wattproof::importers {

template <class T>
class ChunkList {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    static constexpr std::size_t kChunkBytes = std::size_t{2} << 20U;
    static constexpr std::size_t kPerChunk = kChunkBytes / sizeof(T);

    void push_back(const T &value) {
        if (size_ == chunks_.size() * kPerChunk)
            chunks_.push_back(makeChunk(!chunks_.empty()));
        new (chunks_[size_ / kPerChunk].get() + size_ % kPerChunk) T(value);
        ++size_;
    }
    [[nodiscard]] T &operator[](std::size_t index) { return chunks_[index / kPerChunk].get()[index % kPerChunk]; }
    [[nodiscard]] const T &operator[](std::size_t index) const {
        return chunks_[index / kPerChunk].get()[index % kPerChunk];
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    // Keeps the memory for what comes next.
    void clear() { size_ = 0; }

private:
    struct Free {
        void operator()(T *chunk) const { std::free(chunk); }
    };
    using Chunk = std::unique_ptr<T, Free>;

    // Most lists stay small: their first chunk takes only the pages that are used.
    static Chunk makeChunk(bool large) {
        void *memory = std::aligned_alloc(kChunkBytes, kChunkBytes);
        if (memory == nullptr)
            throw std::bad_alloc();
        if (large)
            ::madvise(memory, kChunkBytes, MADV_HUGEPAGE);
        return Chunk(static_cast<T *>(memory));
    }

    std::vector<Chunk> chunks_;
    std::size_t size_ = 0;
};

}  // namespace wattproof::importers
