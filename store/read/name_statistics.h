// Numbers by name over slices that come track by track in the order of time.
#pragma once

#include "store/reader.h"

#include <cstdint>
#include <vector>

namespace wattproof::store {

class NameStatistics {
public:
    explicit NameStatistics(TimeRange area) : area_(area) {}

    struct Slice {
        std::int64_t id = 0, parent = 0, name = 0;
        std::int32_t row = 0;
        TimeRange range;  // workspace time
    };

    void beginTrack();
    void add(const Slice &slice);
    // Ordered by total, largest first; texts and joules are left to the caller.
    [[nodiscard]] std::vector<NameStats> results();

private:
    struct Accumulator {
        std::int64_t name = 0;
        Ns total = 0, self = 0;
        Ns coveredTo = 0;         // end of the union on the present track
        std::int64_t track = -1;  // the track that coveredTo speaks of
        std::vector<Ns> durations;
    };
    struct Open {
        std::int64_t id = 0;
        std::size_t accumulator = 0;
    };

    [[nodiscard]] std::size_t accumulatorOf(std::int64_t name);
    [[nodiscard]] TimeRange clipped(TimeRange range) const;
    void takeFromParent(const Slice &slice, Ns duration);
    [[nodiscard]] static NameStats finish(Accumulator &accumulator);

    TimeRange area_;
    std::vector<std::uint32_t> indexOfName_;  // 0 = none yet, else index + 1
    std::vector<Accumulator> accumulators_;
    std::vector<Open> open_;  // the last slice of each row of the present track
    std::int64_t track_ = -1;
};

}  // namespace wattproof::store
