#include "store/sample_pace.h"

#include <algorithm>
#include <vector>

namespace wattproof::store {

Ns medianDistance(std::span<const Sample> samples) {
    if (samples.size() < 3)
        return 0;
    std::vector<Ns> distances(samples.size() - 1);
    for (std::size_t i = 0; i + 1 < samples.size(); ++i)
        distances[i] = samples[i + 1].ts - samples[i].ts;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return *middle;
}

}  // namespace wattproof::store
