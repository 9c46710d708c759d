// Random numbers that are the same on every machine, addressed by key instead of by order: taking an injection
// away leaves the draws of everything else as they were.
#pragma once

#include <cstdint>

namespace wattproof::simulator {

class Random {
public:
    explicit Random(std::uint64_t seed) : seed_(seed) {}

    [[nodiscard]] std::uint64_t bits(std::uint64_t key, std::uint64_t index) const;
    [[nodiscard]] double uniform(std::uint64_t key, std::uint64_t index) const;  // [0, 1)
    // Mean 0, standard deviation 1: the sum of twelve uniforms, so never beyond 6.
    [[nodiscard]] double normal(std::uint64_t key, std::uint64_t index) const;

private:
    std::uint64_t seed_;
};

}  // namespace wattproof::simulator
