// Numbers by name over slices that come track by track in the order of time, twice: the percentiles are exact and
// want a second look at the durations.
#pragma once

#include "store/read/duration_quantiles.h"
#include "store/reader.h"

#include <cstdint>
#include <vector>

namespace wattproof::store {

class NameStatistics {
public:
    // `lastName`: the highest id a name can have.
    NameStatistics(TimeRange area, std::int64_t lastName);

    struct Slice {
        std::int64_t id = 0, parent = 0, name = 0;
        std::int32_t row = 0;
        TimeRange range;  // workspace time
    };

    // The first pass.
    void beginTrack();
    void add(const Slice &slice);
    // Between the passes. False: no second one is needed.
    [[nodiscard]] bool prepareSecondPass();
    void addAgain(std::int64_t name, Ns duration) {
        Accumulator &accumulator = accumulators_[accumulatorOf(name)];
        if (accumulator.looksAgain)
            accumulator.quantiles.countAgain(duration);
    }
    // Ordered by total, largest first; texts and joules are left to the caller.
    [[nodiscard]] std::vector<NameStats> results();

private:
    struct Accumulator {
        std::int64_t name = 0, count = 0;
        Ns total = 0, self = 0, least = 0, most = 0;
        double sum = 0;
        Ns coveredTo = 0;         // end of the union on the present track
        std::int64_t track = -1;  // the track that coveredTo speaks of
        bool looksAgain = false;
        DurationQuantiles quantiles;

        void measure(Ns duration);
    };
    struct Open {
        std::int64_t id = 0;
        std::size_t accumulator = 0;
    };

    [[nodiscard]] std::size_t accumulatorOf(std::int64_t name) {
        const auto at = static_cast<std::size_t>(name);
        const std::uint32_t known = at < indexOfName_.size() ? indexOfName_[at] : 0;
        return known != 0 ? known - 1 : newAccumulator(at < indexOfName_.size() ? name : 0);
    }
    [[nodiscard]] std::size_t newAccumulator(std::int64_t name);
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
