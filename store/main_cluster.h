// The main cluster of a trace's times. A run of one second with one event an hour away is still a run of one second:
// nothing is hidden, but pictures and shares of time are of that second.
//
// The rule. Events cover stretches of time: a slice its whole length, an unfinished slice only its begin (its end is
// not known), a counter the time between readings that follow each other at its own pace, everything else a moment.
// The main cluster is the shortest run of stretches that
//   - holds at least 95 % of the events,
//   - is separated on both sides, where anything lies beyond, by an empty stretch of at least 20 times its length,
//   - and is not outweighed in time: what lies beyond covers at most 5 % of its length.
// Where there is none, or where it holds everything, the extent is what it is: two halves of a run with a long pause
// between them are never cut, a slice as long as the process leaves no gap, and fewer than 20 events are never judged.
// Logs of power are not judged at all: they begin and end when they like.
//
// It is found at import, which hands over every slice in time order anyway: one comparison each. At reading it would
// cost a scan of all slices at every opening, since levels of detail and blocks hide the gaps inside them. It is kept
// as metadata of the source in source time, only where something lies beyond, so that alignment moves it like
// everything else and workspaces without it mean their whole extent.
#pragma once

#include "store/rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wattproof::store {

struct Stretch {
    Ns begin = 0, end = 0;  // of its first and last moment
    std::int64_t events = 0;
};

struct MainCluster {
    Ns begin = 0, end = 0;
    std::int64_t before = 0, after = 0;  // events that lie beyond
    Ns away = 0;                         // how far the farthest of them reaches
};

// Of stretches that are ordered and do not touch. Nothing: the main cluster is the whole.
[[nodiscard]] std::optional<MainCluster> mainCluster(std::span<const Stretch>);

// As it is kept, in source time, under keys that begin with "main_cluster.".
[[nodiscard]] std::vector<MetadataRow> metadataOf(const MainCluster &, SourceId);
// Nothing where none is kept, or where what stands there makes no sense. `away` is not kept.
[[nodiscard]] std::optional<MainCluster> mainClusterFrom(const std::vector<MetadataRow> &, SourceId);

// Collects stretches from events that come track by track, each track in time order (another order costs time, not
// truth). Memory is fixed: past kMost stretches the narrowest gaps close, all but kMost / 4 of them. So the resolution
// follows the crowd and not the farthest event, as that of buckets of equal width would, and edges are exact.
class StretchCollector {
public:
    static constexpr std::size_t kMost = 4096;

    void add(Ns begin, Ns end) {
        if (begin >= last_.begin && begin - last_.end <= closed_ && last_.events > 0) {
            last_.end = end > last_.end ? end : last_.end;
            ++last_.events;
        } else {
            startAnother(begin, end);
        }
    }

    // All of them, in order; the collector begins anew.
    [[nodiscard]] std::vector<Stretch> take();

private:
    void startAnother(Ns begin, Ns end);
    void join();
    void reduce();

    std::vector<Stretch> stretches_;
    Stretch last_;
    Ns closed_ = 0;  // gaps up to this are no gaps
};

}  // namespace wattproof::store
