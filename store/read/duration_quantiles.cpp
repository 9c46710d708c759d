#include "store/read/duration_quantiles.h"

#include <cmath>
#include <numeric>

namespace wattproof::store {
namespace {

// Index of the nearest rank among `count` values, from 0.
std::size_t nearestRank(double share, std::uint64_t count) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(count)));
    return std::max<std::size_t>(rank, 1) - 1;
}

// A damaged file may have shown the second pass less than the first.
Ns valueAt(std::vector<Ns> &values, std::size_t index) {
    if (index >= values.size())
        return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace

void DurationQuantiles::spread() {
    bins_.resize(kBins);
    for (const Ns duration : few_)
        ++bins_[binOf(duration)];
    few_ = {};
}

bool DurationQuantiles::prepareSecondPass() {
    if (bins_.empty())
        return false;
    const std::uint64_t count = std::accumulate(bins_.begin(), bins_.end(), std::uint64_t{0});
    rankOf_.resize(kBins);
    for (std::size_t i = 0; i < kShares.size(); ++i) {
        Rank &rank = ranks_[i];
        rank.inBin = nearestRank(kShares[i], count);
        while (rank.inBin >= bins_[rank.bin])
            rank.inBin -= bins_[rank.bin++];
        if (rankOf_[rank.bin] != 0)
            continue;
        rankOf_[rank.bin] = static_cast<std::uint8_t>(i + 1);
        makeRoom(rank);
    }
    return true;
}

// The inverse of binOf() gives the least duration of the bin, and its width.
void DurationQuantiles::makeRoom(Rank &rank) const {
    constexpr std::size_t kInPower = std::size_t{1} << kBinBits;
    const std::size_t above = std::max<std::size_t>(rank.bin >> kBinBits, 1) - 1;
    const std::size_t mantissa = rank.bin < kInPower ? rank.bin : kInPower + rank.bin % kInPower;
    rank.least = static_cast<Ns>(mantissa << above);
    const std::size_t width = std::size_t{1} << above;
    if (width <= 2 * std::size_t{bins_[rank.bin]})
        rank.counts.resize(width);
    else
        rank.values.reserve(bins_[rank.bin]);
}

Ns DurationQuantiles::Rank::at(std::size_t index) {
    if (counts.empty())
        return valueAt(values, index);
    Ns duration = least;
    for (const std::uint32_t count : counts) {
        if (index < count)
            break;
        index -= count;
        ++duration;
    }
    return duration;
}

std::array<Ns, DurationQuantiles::kShares.size()> DurationQuantiles::take() {
    std::array<Ns, kShares.size()> quantiles{};
    for (std::size_t i = 0; i < kShares.size(); ++i) {
        if (bins_.empty())
            quantiles[i] = valueAt(few_, nearestRank(kShares[i], few_.size()));
        else
            quantiles[i] = ranks_[rankOf_[ranks_[i].bin] - 1U].at(ranks_[i].inBin);
    }
    return quantiles;
}

}  // namespace wattproof::store
