#include "tests/simulator/random.h"

namespace wattproof::simulator {

namespace {

// Finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

}  // namespace

std::uint64_t Random::bits(std::uint64_t key, std::uint64_t index) const {
    return mix(mix(mix(seed_) ^ key) ^ index);
}

double Random::uniform(std::uint64_t key, std::uint64_t index) const {
    return static_cast<double>(bits(key, index) >> 11U) * 0x1.0p-53;
}

double Random::normal(std::uint64_t key, std::uint64_t index) const {
    double sum = -6;
    for (std::uint64_t part = 0; part < 12; ++part)
        sum += uniform(key, index * 12 + part);
    return sum;
}

}  // namespace wattproof::simulator
