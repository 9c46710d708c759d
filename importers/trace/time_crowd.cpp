#include "importers/trace/time_crowd.h"

#include <algorithm>

namespace wattproof::importers {

void TimeCrowd::settle() {
    std::uint64_t most = 0;
    for (std::size_t first = 0; first < buckets_.size(); ++first) {
        if (buckets_[first].count == 0)
            continue;
        std::uint64_t count = 0;
        Ns end = buckets_[first].maxEnd;
        std::size_t next = first;
        for (; next < buckets_.size() && buckets_[next].count > 0; ++next) {
            count += buckets_[next].count;
            end = std::max(end, buckets_[next].maxEnd);
        }
        // Of two equal groups the later: a missing clock says 0, not the future.
        if (count >= most) {
            most = count;
            begin_ = buckets_[first].min;
            end_ = end;
            last_ = next - 1;
        }
        first = next;
    }
    empty_ = most == 0;
}

}  // namespace wattproof::importers
