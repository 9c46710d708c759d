// Slices of a random track, for tests that compare readers with SQL over the public views.
#pragma once

#include "tests/support/temporary_workspace.h"

#include <random>

namespace wattproof::test {

// Slices inside slices, in the order in which the writer wants them.
class RandomTrack {
public:
    static constexpr int kMostDepth = 6;

    RandomTrack(std::mt19937_64 &random, const std::vector<StringId> &names, StringId category)
        : random_(random), names_(names), category_(category) {}

    void fill(Ns begin, Ns end, std::int32_t depth, std::int32_t parent) {
        for (Ns at = begin + below(400); at < end;) {
            const Ns dur = std::min(end - at, lengthAt(depth));
            const auto index = static_cast<std::int32_t>(slices_.size());
            add(at, dur, depth, parent);
            if (depth < kMostDepth && dur > 2'000 && random_() % 3 != 0)
                fill(at, at + dur, depth + 1, index);
            at += dur + 1 + below(random_() % 40 == 0 ? 20'000 : 300);
        }
    }
    std::vector<SliceRow> &slices() { return slices_; }
    [[nodiscard]] const std::vector<std::int32_t> &parents() const { return parents_; }

private:
    [[nodiscard]] Ns below(Ns limit) { return static_cast<Ns>(random_() % static_cast<std::uint64_t>(limit)); }
    [[nodiscard]] Ns lengthAt(std::int32_t depth) {
        return random_() % 30 == 0 ? 0 : 200 + below(Ns{1} << (20 - 2 * depth));
    }
    void add(Ns ts, Ns dur, std::int32_t depth, std::int32_t parent) {
        const auto skewed = static_cast<double>(random_() % 1000) / 1000;
        SliceRow slice = sliceAt(ts, dur, names_[static_cast<std::size_t>(skewed * skewed * static_cast<double>(names_.size()))], depth);
        slice.kind = dur == 0 ? SliceKind::Instant : SliceKind::Slice;
        slice.category = random_() % 4 == 0 ? StringId{} : category_;
        slices_.push_back(slice);
        parents_.push_back(parent);
    }

    std::mt19937_64 &random_;
    const std::vector<StringId> &names_;
    StringId category_;
    std::vector<SliceRow> slices_;
    std::vector<std::int32_t> parents_;
};

// The condition on the view `slices` that readers of a range mean.
inline std::string touching(TimeRange range) {
    const std::string begin = std::to_string(range.begin);
    return "ts < " + std::to_string(range.end) + " AND (ts >= " + begin + " OR ts + dur > " + begin + ")";
}

}  // namespace wattproof::test
