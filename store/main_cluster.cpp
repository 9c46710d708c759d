#include "store/main_cluster.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace wattproof::store {
namespace {

constexpr std::int64_t kFewestEvents = 20;
constexpr std::int64_t kOutsideShare = 20;  // one in so many, of events and of time
constexpr Ns kGapLengths = 20;

constexpr const char *kBegin = "main_cluster.begin", *kEnd = "main_cluster.end";
constexpr const char *kBefore = "main_cluster.events_before", *kAfter = "main_cluster.events_after";

// Sums over the stretches before each.
struct Sums {
    std::vector<std::int64_t> events{0};
    std::vector<Ns> covered{0};

    explicit Sums(std::span<const Stretch> stretches) {
        for (const Stretch &stretch : stretches) {
            events.push_back(events.back() + stretch.events);
            covered.push_back(covered.back() + (stretch.end - stretch.begin));
        }
    }
};

class Search {
public:
    explicit Search(std::span<const Stretch> stretches) : stretches_(stretches), sums_(stretches) {}

    std::optional<MainCluster> run() {
        const std::int64_t all = sums_.events.back();
        if (all < kFewestEvents)
            return std::nullopt;
        const std::int64_t spared = all / kOutsideShare;
        for (std::size_t first = 0; first < stretches_.size() && sums_.events[first] <= spared; ++first)
            tryFrom(first, all - spared);
        return best_;
    }

private:
    // The shortest that begins with this stretch and is shorter than the best so far.
    void tryFrom(std::size_t first, std::int64_t fewest) {
        const auto enough =
            std::lower_bound(sums_.events.begin(), sums_.events.end(), sums_.events[first] + fewest);
        for (auto end = static_cast<std::size_t>(enough - sums_.events.begin()); end <= stretches_.size(); ++end) {
            const Ns length = stretches_[end - 1].end - stretches_[first].begin;
            if (best_ && length >= best_->end - best_->begin)
                return;
            if (first == 0 && end == stretches_.size())
                return;
            if (standsAlone(first, end, length))
                return take(first, end);
        }
    }

    [[nodiscard]] bool standsAlone(std::size_t first, std::size_t end, Ns length) const {
        const auto far = [length](Ns from, Ns to) { return (to - from) / kGapLengths >= length; };
        const Ns beyond = sums_.covered.back() - (sums_.covered[end] - sums_.covered[first]);
        return length > 0 && beyond <= length / kOutsideShare &&
               (first == 0 || far(stretches_[first - 1].end, stretches_[first].begin)) &&
               (end == stretches_.size() || far(stretches_[end - 1].end, stretches_[end].begin));
    }

    void take(std::size_t first, std::size_t end) {
        const Ns begin = stretches_[first].begin, last = stretches_[end - 1].end;
        best_ = MainCluster{begin, last, sums_.events[first], sums_.events.back() - sums_.events[end],
                            std::max(begin - stretches_.front().begin, stretches_.back().end - last)};
    }

    std::span<const Stretch> stretches_;
    Sums sums_;
    std::optional<MainCluster> best_;
};

}  // namespace

std::optional<MainCluster> mainCluster(std::span<const Stretch> stretches) {
    return Search(stretches).run();
}

std::vector<MetadataRow> metadataOf(const MainCluster &cluster, SourceId source) {
    return {{source, kBegin, std::to_string(cluster.begin)},
            {source, kEnd, std::to_string(cluster.end)},
            {source, kBefore, std::to_string(cluster.before)},
            {source, kAfter, std::to_string(cluster.after)}};
}

std::optional<MainCluster> mainClusterFrom(const std::vector<MetadataRow> &rows, SourceId source) {
    MainCluster cluster;
    int found = 0;
    const auto read = [&](const MetadataRow &row, const char *key, std::int64_t &into) {
        if (row.source != source || row.key != key)
            return;
        const char *last = row.value.data() + row.value.size();
        const auto [end, error] = std::from_chars(row.value.data(), last, into);
        found += error == std::errc() && end == last ? 1 : 0;
    };
    for (const MetadataRow &row : rows) {
        read(row, kBegin, cluster.begin);
        read(row, kEnd, cluster.end);
        read(row, kBefore, cluster.before);
        read(row, kAfter, cluster.after);
    }
    const bool sound = found == 4 && cluster.begin < cluster.end && cluster.before >= 0 && cluster.after >= 0;
    return sound ? std::optional(cluster) : std::nullopt;
}

std::vector<Stretch> StretchCollector::take() {
    if (last_.events > 0)
        stretches_.push_back(last_);
    join();
    last_ = {};
    closed_ = 0;
    return std::exchange(stretches_, {});
}

void StretchCollector::startAnother(Ns begin, Ns end) {
    if (last_.events > 0)
        stretches_.push_back(last_);
    last_ = {begin, end, 1};
    if (stretches_.size() >= kMost)
        reduce();
}

// In order, those that touch made one.
void StretchCollector::join() {
    std::sort(stretches_.begin(), stretches_.end(),
              [](const Stretch &a, const Stretch &b) { return a.begin < b.begin; });
    std::size_t kept = 0;
    for (const Stretch &stretch : stretches_) {
        if (kept > 0 && stretch.begin - stretches_[kept - 1].end <= closed_) {
            Stretch &before = stretches_[kept - 1];
            before.end = std::max(before.end, stretch.end);
            before.events += stretch.events;
        } else {
            stretches_[kept++] = stretch;
        }
    }
    stretches_.resize(kept);
}

// Leaves at most half of them.
void StretchCollector::reduce() {
    join();
    if (stretches_.size() <= kMost / 2)
        return;
    std::vector<Ns> gaps;
    for (std::size_t i = 1; i < stretches_.size(); ++i)
        gaps.push_back(stretches_[i].begin - stretches_[i - 1].end);
    const auto widest = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() - kMost / 4);
    std::nth_element(gaps.begin(), widest, gaps.end());
    closed_ = *widest;
    join();
}

}  // namespace wattproof::store
