#include "store/time.h"

namespace wattproof {
namespace {

constexpr Ns kSecond = 1'000'000'000;

Ns driftTerm(Ns sinceAnchor, std::int64_t driftPpb) {
    return sinceAnchor / kSecond * driftPpb + sinceAnchor % kSecond * driftPpb / kSecond;
}

}  // namespace

Ns TimeMap::toWorkspace(Ns source) const {
    const Ns shifted = source + base + offset;
    return driftPpb == 0 ? shifted : shifted + driftTerm(source - anchor, driftPpb);
}

Ns TimeMap::toSource(Ns workspace) const {
    Ns guess = workspace - base - offset;
    if (driftPpb == 0)
        return guess;
    // Each step shrinks the error by the factor |drift|; whole nanoseconds leave the last few to the search below.
    for (int i = 0; i < 128; ++i) {
        const Ns error = toWorkspace(guess) - workspace;
        if (error >= -2 && error <= 2)
            break;
        guess -= error;
    }
    while (toWorkspace(guess) < workspace)
        ++guess;
    while (toWorkspace(guess - 1) >= workspace)
        --guess;
    return guess;
}

}  // namespace wattproof
