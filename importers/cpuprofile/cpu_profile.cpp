#include "importers/cpuprofile/cpu_profile.h"

#include "importers/text/mended.h"
#include "importers/trace/time_crowd.h"

#include <algorithm>
#include <limits>

namespace wattproof::importers::cpuprofile {
namespace {

constexpr std::size_t kMostSamples = 20'000'000;
constexpr std::size_t kMostNodes = 4'000'000;
constexpr std::size_t kSamplesPerCheck = 65'536;
constexpr std::int64_t kLastPlace = std::numeric_limits<std::int32_t>::max();  // of a line or column

}  // namespace

void CpuProfile::node(std::int64_t id, std::optional<std::int64_t> parent, Function function,
                      std::uint64_t offset) {
    if (id == 0 || functions_.size() >= kMostNodes)
        return builder_.warn("missing_field", "Nodes without an id, or above 4 million, were left out.", {offset});
    CallNode &own = tree_[id];
    own.isRoot = function.name == "(root)";
    own.isIdle = function.name == "(idle)";
    own.isCollector = function.name == "(garbage collector)";
    own.parent = parent.value_or(own.parent);
    functions_.insert_or_assign(id, std::move(function));
}

void CpuProfile::child(std::int64_t parent, std::int64_t id) {
    if (parent != 0 && id != 0 && tree_.size() < kMostNodes)
        tree_[id].parent = parent;
}

void CpuProfile::sample(std::int64_t node, Ns delta, std::uint64_t offset) {
    if (samples_.size() >= kMostSamples)
        return builder_.warn("too_many_samples", "Samples after the first 20 million were left out.", {offset});
    Ns next = 0;
    if (__builtin_add_overflow(at_, delta, &next) || next < -kLargestTime || next > kLargestTime)
        return builder_.warn("timestamp_outlier", "Samples whose times are beyond any clock were left out.",
                             {offset});
    at_ = next;
    backwards_ += delta < 0 ? 1 : 0;
    samples_.push_back({node, at_});
}

// V8's deltas step back now and then.
void CpuProfile::putInOrder() {
    if (backwards_ > 0)
        builder_.warn("clock_backwards", "Samples that lie before their predecessor were put in order.", {0},
                      backwards_);
    std::stable_sort(samples_.begin(), samples_.end(),
                     [](const Sample &a, const Sample &b) { return a.at < b.at; });
}

Status CpuProfile::unroll(TrackId track, Ns end, const std::function<Status()> &checkpoint) {
    putInOrder();
    SampleStack stack(tree_, [this, track](std::int64_t node, Ns begin, Ns until, std::uint64_t order) {
        emit(track, node, begin, until, order);
    });
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        if (i % kSamplesPerCheck == 0)
            if (auto status = checkpoint(); !status)
                return status;
        if (!stack.sample(samples_[i].node, samples_[i].at))
            builder_.warn("unknown_node", "Samples of nodes that are not in the file were taken for idle time.",
                          {0});
    }
    if (!samples_.empty())
        stack.finish(std::clamp(end, samples_.back().at, kLargestTime));
    if (stack.cutStacks() > 0)
        builder_.warn("deep_stack", "Calls deeper than 1,024 were cut off.", {0},
                      static_cast<std::int64_t>(stack.cutStacks()));
    return {};
}

void CpuProfile::emit(TrackId track, std::int64_t node, Ns begin, Ns end, std::uint64_t order) {
    const Function &function = functions_[node];
    RawEvent event;
    event.track = track;
    event.ts = begin;
    event.name = writer_.intern(function.name.empty() ? "(anonymous)" : mendedText(function.name));
    event.category = writer_.intern("sampled");
    event.origin = {order};
    arguments_.clear();
    if (!function.url.empty())
        arguments_.text("url", function.url);
    if (function.line >= 0 && function.line < kLastPlace)
        arguments_.integer("line", function.line + 1);
    if (function.column >= 0 && function.column < kLastPlace)
        arguments_.integer("column", function.column + 1);
    event.args = arguments_.write();
    builder_.complete(event, end - begin);
}

}  // namespace wattproof::importers::cpuprofile
