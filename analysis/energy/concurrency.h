// Sharing what passes in time among the operations that run at that time.
#pragma once

#include "store/time.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace wattproof::analysis {

// For each operation: the integral over it of rate(t) ÷ (operations running at t). `upTo(t)` is the integral of
// the rate from any fixed start to t and must not fall. Operations ordered by begin. The shares of all sum to the
// rate's integral over their union. O(n log n).
template <class UpTo>
std::vector<double> sharedByConcurrency(const std::vector<TimeRange> &operations, UpTo upTo) {
    const std::size_t n = operations.size();
    std::vector<std::uint32_t> byEnd(n);
    std::iota(byEnd.begin(), byEnd.end(), 0U);
    std::sort(byEnd.begin(), byEnd.end(),
              [&](std::uint32_t a, std::uint32_t b) { return operations[a].end < operations[b].end; });
    std::vector<double> shares(n);  // minus the running share at begin, then plus that at end
    long double share = 0;          // integral of rate ÷ running
    double before = 0;
    std::size_t running = 0;
    const auto advance = [&](Ns t) {
        const double now = upTo(t);
        if (running > 0)
            share += static_cast<long double>(now - before) / static_cast<long double>(running);
        before = now;
    };
    for (std::size_t opened = 0, closed = 0; closed < n;) {
        const bool opens = opened < n && operations[opened].begin <= operations[byEnd[closed]].end;
        advance(opens ? operations[opened].begin : operations[byEnd[closed]].end);
        if (opens) {
            shares[opened++] = static_cast<double>(-share);
            ++running;
        } else {
            shares[byEnd[closed++]] += static_cast<double>(share);
            --running;
        }
    }
    return shares;
}

}  // namespace wattproof::analysis
