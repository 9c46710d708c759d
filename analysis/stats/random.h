// A small generator whose numbers are the same on every platform and standard library: analyses repeat to the last
// digit.
#pragma once

#include <cstdint>

namespace wattproof::analysis {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {  // SplitMix64 (Steele, Lea, Flood 2014)
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
    double uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

private:
    std::uint64_t state_;
};

}  // namespace wattproof::analysis
