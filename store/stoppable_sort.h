// Sorting that can be given up half way.
#pragma once

#include <algorithm>
#include <iterator>
#include <stop_token>

namespace wattproof::store {

// Sorts as std::sort does. False, with the elements in some order, when the stop was requested: it is looked at about
// every hundredth of a second.
template <class Iterator>
[[nodiscard]] bool sortUnlessStopped(Iterator first, Iterator last, const std::stop_token &stop) {
    constexpr std::ptrdiff_t kSortedAtOnce = std::ptrdiff_t{1} << 17;
    if (stop.stop_requested())
        return false;
    const std::ptrdiff_t count = std::distance(first, last);
    if (count <= kSortedAtOnce) {
        std::sort(first, last);
        return true;
    }
    const Iterator middle = first + count / 2;
    std::nth_element(first, middle, last);
    return sortUnlessStopped(first, middle, stop) && sortUnlessStopped(middle, last, stop);
}

}  // namespace wattproof::store
