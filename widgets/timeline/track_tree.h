// The tracks as a tree: source → device or process → stream, thread or counter, in natural order. Devices lead:
// what the accelerator did stays in sight however deep the host's stacks are.
#pragma once

#include "widgets/plot/run_tables.h"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wattproof::widgets {

enum class NodeKind { Source, Process, Device, Slices, Counter };

struct TrackNode {
    NodeKind kind = NodeKind::Slices;
    std::string key;    // stable across sessions: what the arrangement is stored under
    std::string label;  // "python 4242", "stream 7"
    std::string note;   // what follows in grey: kind of a source, unit of a counter
    std::string words;  // what a filter may name it by, in lower case: its names and numbers
    DeviceId device;    // of a device's group
    TrackId track;      // of slices, or the counter's own
    CounterId counter;
    int parent = -1;
    int level = 0;
    int rowCount = 1;  // drawing rows of slices
    std::vector<int> children;

    [[nodiscard]] bool isGroup() const {
        return kind == NodeKind::Source || kind == NodeKind::Process || kind == NodeKind::Device;
    }
};

struct TrackTree {
    std::vector<TrackNode> nodes;
    std::vector<int> roots;

    std::unordered_map<TrackId, int> ofTrack;

    [[nodiscard]] int find(TrackId) const;  // index, or -1
    [[nodiscard]] int find(const std::string &key) const;
    [[nodiscard]] const std::vector<int> &siblings(int node) const;  // with itself
};

[[nodiscard]] TrackTree buildTrackTree(const RunTables &);

// "stream 7" before "stream 20": runs of digits compare as numbers, letters without case.
[[nodiscard]] bool naturalLess(std::string_view, std::string_view);

// Text as filters compare it.
[[nodiscard]] std::string lowerCase(std::string_view);

// What starts collapsed: host tracks deeper than a screen can show at once.
[[nodiscard]] std::set<std::string> collapsedAtFirst(const TrackTree &);

}  // namespace wattproof::widgets
