#include "analysis/timeline/host_activity.h"

#include <algorithm>
#include <cctype>

namespace wattproof::analysis {
namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

template <std::size_t N>
bool containsAny(std::string_view text, const std::array<std::string_view, N> &parts) {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(text, part); });
}

template <std::size_t N>
bool isAny(std::string_view text, const std::array<std::string_view, N> &values) {
    return std::find(values.begin(), values.end(), text) != values.end();
}

constexpr std::array<std::string_view, 7> kRuntimeCategories{
    "cuda_runtime", "cuda_driver", "hip_runtime", "Runtime", "xpu_runtime", "CUDA_API", "HIP_API"};
constexpr std::array<std::string_view, 7> kMemoryCalls{"Malloc",  "cudaFree",  "hipFree",  "MemAlloc",
                                                       "MemFree", "HostAlloc", "MemCreate"};
// hipMemcpyWithStream copies and then waits for its stream.
constexpr std::array<std::string_view, 3> kWaitingCalls{"Synchronize", "StreamWaitEvent", "hipMemcpyWithStream"};
constexpr std::array<std::string_view, 4> kLaunchCalls{"LaunchKernel", "GraphLaunch", "cuLaunch",
                                                       "LaunchCooperative"};
constexpr std::array<std::string_view, 4> kInputNames{"DataLoader", "dataloader", "data_loader", "_next_data"};

bool looksLikeRuntime(std::string_view name) {
    const bool prefixed =
        name.rfind("cuda", 0) == 0 || name.rfind("hip", 0) == 0 ||
        (name.rfind("cu", 0) == 0 && name.size() > 2 && std::isupper(static_cast<unsigned char>(name[2])) != 0);
    return prefixed && name.find_first_of(":. (") == std::string_view::npos;
}

bool isLaunch(std::string_view name) {
    return containsAny(name, kLaunchCalls) || contains(name, "ModuleLaunch");
}

HostActivity runtimeActivity(std::string_view name) {
    if (containsAny(name, kMemoryCalls))
        return HostActivity::Memory;
    if (containsAny(name, kWaitingCalls))
        return HostActivity::Synchronization;
    return isLaunch(name) ? HostActivity::Launch : HostActivity::Runtime;
}

}  // namespace

const char *word(HostActivity activity) {
    constexpr std::array<const char *, kHostActivities + 1> words{"memory",  "synchronization", "launch", "input",
                                                                  "runtime", "operator",        "python", "none"};
    return words[static_cast<std::size_t>(activity)];
}

HostActivity hostActivity(std::string_view category, std::string_view name) {
    if (isAny(category, kRuntimeCategories) || (category.empty() && looksLikeRuntime(name)))
        return runtimeActivity(name);
    if (containsAny(name, kInputNames))
        return HostActivity::Input;
    if (category == "python_function")
        return HostActivity::Python;
    // An annotation brackets other work and says nothing of what the host did in it.
    const bool bracket = category == "user_annotation" || category == "gpu_user_annotation" || category == "Trace";
    return bracket ? HostActivity::None : HostActivity::Operator;
}

HostTimeline::HostTimeline(std::vector<store::HostCall> calls, const std::map<StringId, std::string> &texts)
    : calls_(std::move(calls)) {
    std::sort(calls_.begin(), calls_.end(), [](const auto &a, const auto &b) { return a.slice < b.slice; });
    std::map<std::pair<StringId, StringId>, HostActivity> known;
    const auto text = [&](StringId id) -> std::string_view {
        const auto it = texts.find(id);
        return it == texts.end() ? std::string_view{} : std::string_view(it->second);
    };
    for (std::uint32_t i = 0; i < calls_.size(); ++i) {
        const auto key = std::make_pair(calls_[i].category, calls_[i].name);
        const auto [it, fresh] = known.try_emplace(key, HostActivity::None);
        if (fresh)
            it->second = hostActivity(text(key.first), text(key.second));
        if (it->second != HostActivity::None)
            byActivity_[static_cast<std::size_t>(it->second)].push_back(i);
    }
    for (std::size_t a = 0; a < kHostActivities; ++a) {
        std::sort(byActivity_[a].begin(), byActivity_[a].end(), [this](std::uint32_t x, std::uint32_t y) {
            return calls_[x].range.begin < calls_[y].range.begin;
        });
        std::vector<TimeRange> ranges;
        ranges.reserve(byActivity_[a].size());
        for (const std::uint32_t i : byActivity_[a])
            ranges.push_back(calls_[i].range);
        covered_[a] = unionOf(std::move(ranges));
    }
}

SliceId HostTimeline::callAt(HostActivity activity, TimeRange range) const {
    if (activity == HostActivity::None)
        return {};
    const auto &indices = byActivity_[static_cast<std::size_t>(activity)];
    const auto next = std::partition_point(indices.begin(), indices.end(),
                                           [&](std::uint32_t i) { return calls_[i].range.begin <= range.begin; });
    // Calls of one activity nest a few levels at most; further back lies what has ended.
    constexpr std::ptrdiff_t kLookBack = 64;
    for (auto it = next; it != indices.begin() && next - it < kLookBack;) {
        --it;
        if (calls_[*it].range.end > range.begin)
            return calls_[*it].slice;
    }
    return next != indices.end() && calls_[*next].range.begin < range.end ? calls_[*next].slice : SliceId{};
}

const TimeRange *HostTimeline::rangeOf(SliceId slice) const {
    const auto it = std::partition_point(calls_.begin(), calls_.end(),
                                         [&](const store::HostCall &call) { return call.slice < slice; });
    return it != calls_.end() && it->slice == slice ? &it->range : nullptr;
}

}  // namespace wattproof::analysis
