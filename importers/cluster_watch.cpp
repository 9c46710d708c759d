#include "importers/cluster_watch.h"

#include "store/sample_pace.h"

#include <array>
#include <cstdio>
#include <string>

namespace wattproof::importers {
namespace {

constexpr Ns kPacesBridged = 5;  // as everywhere: longer is a gap

struct Unit {
    Ns length;
    const char *name;
};
constexpr std::array<Unit, 7> kUnits{{{86'400'000'000'000, "d"},
                                      {3'600'000'000'000, "h"},
                                      {60'000'000'000, "min"},
                                      {1'000'000'000, "s"},
                                      {1'000'000, "ms"},
                                      {1'000, "µs"},
                                      {1, "ns"}}};
constexpr std::size_t kSeconds = 3;

// "1 h 2 min", "1.2 s", "35 ms".
std::string words(Ns length) {
    std::size_t i = 0;
    while (i + 1 < kUnits.size() && length < kUnits[i].length)
        ++i;
    if (i >= kSeconds) {
        char text[40];
        std::snprintf(text, sizeof text, "%.3g %s",
                      static_cast<double>(length) / static_cast<double>(kUnits[i].length), kUnits[i].name);
        return text;
    }
    const auto whole = [](Ns count, const Unit &unit) { return std::to_string(count) + " " + unit.name; };
    const Ns rest = length % kUnits[i].length / kUnits[i + 1].length;
    return whole(length / kUnits[i].length, kUnits[i]) + (rest > 0 ? " " + whole(rest, kUnits[i + 1]) : "");
}

}  // namespace

void ClusterWatch::note(std::span<const SliceRow> slices) {
    for (const SliceRow &slice : slices)
        stretches_.add(slice.ts, slice.state == SliceState::Unfinished ? slice.ts : slice.ts + slice.dur);
}

void ClusterWatch::note(std::span<const Sample> samples) {
    const Ns bridged = kPacesBridged * store::medianDistance(samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Ns next = i + 1 < samples.size() ? samples[i + 1].ts : samples[i].ts;
        stretches_.add(samples[i].ts, next - samples[i].ts <= bridged ? next : samples[i].ts);
    }
}

std::optional<store::MainCluster> ClusterWatch::finish() {
    return store::mainCluster(stretches_.take());
}

WarningRow warningOf(const store::MainCluster &cluster, SourceId source) {
    const std::int64_t count = cluster.before + cluster.after;
    return {source,
            "distant_events",
            count,
            {},
            std::to_string(count) + (count == 1 ? " event lies" : " events lie") + " outside the main " +
                words(cluster.end - cluster.begin) + " of the trace (up to " + words(cluster.away) +
                " away): kept, but shares of time and the first view are of the main part."};
}

}  // namespace wattproof::importers
