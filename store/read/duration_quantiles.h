// Exact quantiles of many durations in little memory: a first pass counts them in bins, a second one over the same
// durations tells apart only those of the bins that hold the ranks asked for.
#pragma once

#include "store/time.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wattproof::store {

class DurationQuantiles {
public:
    static constexpr std::array<double, 3> kShares{0.50, 0.95, 0.99};

    // The first pass.
    void count(Ns duration) {
        if (bins_.empty() && few_.size() < kFew) {
            few_.push_back(duration);
            return;
        }
        if (bins_.empty())
            spread();
        ++bins_[binOf(duration)];
    }

    // Between the passes. False: the durations were so few that no second one is needed.
    [[nodiscard]] bool prepareSecondPass();

    // The second pass.
    void countAgain(Ns duration) {
        const std::uint8_t rank = rankOf_[binOf(duration)];
        if (rank == 0)
            return;
        Rank &inside = ranks_[rank - 1U];
        if (inside.counts.empty())
            inside.values.push_back(duration);
        else
            ++inside.counts[static_cast<std::size_t>(std::max<Ns>(duration, 0) - inside.least)];
    }

    // By nearest rank, one for each of kShares: the least duration that is not below the share of all. Ends the
    // use.
    [[nodiscard]] std::array<Ns, kShares.size()> take();

private:
    static constexpr std::size_t kFew = 1024;
    static constexpr unsigned kBinBits = 5;  // a bin is 1/32 of its power of two wide
    static constexpr std::size_t kBins = 60U << kBinBits;

    // A bin that holds a rank, and what the second pass finds in it: how often each duration, or where that would
    // take more room, the durations.
    struct Rank {
        std::size_t bin = 0;
        std::size_t inBin = 0;  // rank among the bin's durations, from 0
        Ns least = 0;
        std::vector<std::uint32_t> counts;
        std::vector<Ns> values;

        [[nodiscard]] Ns at(std::size_t index);
    };

    // Rises with the duration. What is negative in a damaged file shares the bin of 0.
    [[nodiscard]] static std::size_t binOf(Ns duration) {
        const auto d = static_cast<std::uint64_t>(std::max<Ns>(duration, 0));
        const auto bits = static_cast<unsigned>(std::bit_width(d));
        const unsigned above = std::max(bits, 1 + kBinBits) - 1 - kBinBits;
        return (std::size_t{above} << kBinBits) + static_cast<std::size_t>(d >> above);
    }
    void spread();
    void makeRoom(Rank &rank) const;

    std::vector<Ns> few_;  // all of them, while they are few
    std::vector<std::uint32_t> bins_;
    std::vector<std::uint8_t> rankOf_;  // of each bin: 0, or 1 + the rank whose durations it holds
    std::array<Rank, kShares.size()> ranks_;
};

}  // namespace wattproof::store
