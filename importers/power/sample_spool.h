// Samples of many channels, collected in the order of the file and handed back channel by channel. Beyond a budget
// they wait in a temporary file, so that memory does not grow with the log.
#pragma once

#include "store/result.h"
#include "store/rows.h"

#include <cstdio>
#include <memory>
#include <vector>

namespace wattproof::importers {

class SampleSpool {
public:
    explicit SampleSpool(std::size_t budgetSamples = std::size_t{16} << 20U) : budget_(budgetSamples) {}

    [[nodiscard]] std::size_t addChannel();
    // Never fails; a temporary file that cannot be written is reported by take().
    void push(std::size_t channel, Sample sample);
    // All samples of a channel in the order of push; the spool forgets them.
    [[nodiscard]] Expected<std::vector<Sample>> take(std::size_t channel);
    [[nodiscard]] bool spilled() const { return file_ != nullptr; }

private:
    struct Block {
        long offset = 0;
        std::size_t count = 0;
    };
    struct Lane {
        std::vector<Sample> memory;
        std::vector<Block> blocks;
    };
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    void spill();

    std::vector<Lane> lanes_;
    std::size_t held_ = 0, budget_;
    std::unique_ptr<std::FILE, Close> file_;
    bool failed_ = false;
};

}  // namespace wattproof::importers
