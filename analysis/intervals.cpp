#include "analysis/intervals.h"

#include <algorithm>

namespace wattproof::analysis {

IntervalSet unionOf(std::vector<TimeRange> intervals) {
    std::erase_if(intervals, [](const TimeRange &r) { return r.empty(); });
    std::sort(intervals.begin(), intervals.end(),
              [](const TimeRange &a, const TimeRange &b) { return a.begin < b.begin; });
    IntervalSet merged;
    for (const TimeRange &r : intervals) {
        if (!merged.empty() && r.begin <= merged.back().end)
            merged.back().end = std::max(merged.back().end, r.end);
        else
            merged.push_back(r);
    }
    return merged;
}

IntervalSet unionOf(const IntervalSet &a, const IntervalSet &b) {
    std::vector<TimeRange> all(a);
    all.insert(all.end(), b.begin(), b.end());
    return unionOf(std::move(all));
}

IntervalSet difference(const IntervalSet &a, const IntervalSet &b) {
    IntervalSet result;
    std::size_t j = 0;
    for (TimeRange r : a) {
        while (j < b.size() && b[j].end <= r.begin)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].begin < r.end; ++k) {
            if (b[k].begin > r.begin)
                result.push_back({r.begin, b[k].begin});
            r.begin = std::max(r.begin, b[k].end);
        }
        if (!r.empty())
            result.push_back(r);
    }
    return result;
}

IntervalSet intersection(const IntervalSet &a, const IntervalSet &b) {
    IntervalSet result;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const TimeRange both{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
        if (!both.empty())
            result.push_back(both);
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return result;
}

IntervalSet complement(const IntervalSet &set, TimeRange within) {
    return within.empty() ? IntervalSet{} : difference({within}, set);
}

IntervalSet clip(const IntervalSet &set, TimeRange within) {
    return within.empty() ? IntervalSet{} : intersection(set, {within});
}

Ns length(const IntervalSet &set) {
    Ns total = 0;
    for (const TimeRange &r : set)
        total += r.length();
    return total;
}

Ns overlapLength(const IntervalSet &set, TimeRange within) {
    auto it = std::partition_point(set.begin(), set.end(), [&](const TimeRange &r) { return r.end <= within.begin; });
    Ns total = 0;
    for (; it != set.end() && it->begin < within.end; ++it)
        total += std::min(it->end, within.end) - std::max(it->begin, within.begin);
    return total;
}

}  // namespace wattproof::analysis
