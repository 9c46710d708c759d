// Where the events of a trace are in time, without being misled by the odd one that says 1970 or minus fifty
// years. Times are counted in coarse buckets (about 417 days); the crowd is the group of neighbouring buckets that
// holds most.
#pragma once

#include "store/time.h"

#include <array>
#include <cstdint>

namespace wattproof::importers {

// Stated times beyond this are refused, so that differences of two never overflow (about 146 years either way).
inline constexpr Ns kLargestTime = Ns{1} << 62U;

class TimeCrowd {
public:
    void note(Ns ts, Ns end) {
        Bucket &bucket = buckets_[index(ts)];
        if (bucket.count++ == 0)
            bucket = {1, ts, end};
        bucket.min = ts < bucket.min ? ts : bucket.min;
        bucket.maxEnd = end > bucket.maxEnd ? end : bucket.maxEnd;
    }

    // Finds the crowd; to be called once, after the last note().
    void settle();

    [[nodiscard]] bool empty() const { return empty_; }
    [[nodiscard]] Ns begin() const { return begin_; }  // earliest start in the crowd
    [[nodiscard]] Ns end() const { return end_; }      // latest end of what starts in it
    // < 0: before the crowd, 0: in it, > 0: after it.
    [[nodiscard]] int compare(Ns ts) const { return ts < begin_ ? -1 : (index(ts) > last_ ? 1 : 0); }

private:
    struct Bucket {
        std::uint64_t count = 0;
        Ns min = 0, maxEnd = 0;
    };
    static constexpr int kShift = 55;
    static constexpr std::size_t kBuckets = 256;
    static std::size_t index(Ns ts) {
        return static_cast<std::size_t>((ts >> kShift) + std::int64_t{kBuckets} / 2);
    }

    std::array<Bucket, kBuckets + 1> buckets_{};
    bool empty_ = true;
    Ns begin_ = 0, end_ = 0;
    std::size_t last_ = 0;
};

}  // namespace wattproof::importers
