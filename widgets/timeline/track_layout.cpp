#include "widgets/timeline/track_layout.h"

#include <algorithm>
#include <cctype>

namespace wattproof::widgets {
namespace {

constexpr double kTrackGap = 3;  // of ground below each track of slices
constexpr int kCounterRows = 2;

bool containsText(const std::string &text, const std::string &part) {
    const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

class LayoutMaker {
public:
    LayoutMaker(const TrackTree &tree, const std::set<std::string> &collapsed, const std::string &filter,
                int rowHeight)
        : tree_(tree), collapsed_(collapsed), filter_(filter), rowHeight_(rowHeight) {}

    TrackLayout make() {
        for (const int root : tree_.roots)
            place(root, filter_.empty());
        return std::move(layout_);
    }

private:
    const TrackNode &node(int index) const { return tree_.nodes[static_cast<std::size_t>(index)]; }

    bool matches(int index) const {
        const TrackNode &n = node(index);
        return containsText(n.label, filter_) ||
               std::any_of(n.children.begin(), n.children.end(), [this](int child) { return matches(child); });
    }

    // `wanted`: the node or one above it matches, so that all below shows.
    void place(int index, bool wanted) {
        const TrackNode &n = node(index);
        if (!wanted && !matches(index))
            return;
        const bool below = wanted || containsText(n.label, filter_);
        const bool shut = collapsed_.contains(n.key) && (filter_.empty() || !n.isGroup());
        const double height = heightOf(n, shut);
        layout_.tracks.push_back({index, layout_.height, height, shut});
        layout_.height += height;
        if (!shut)
            for (const int child : n.children)
                place(child, below);
    }

    double heightOf(const TrackNode &n, bool shut) const {
        if (n.isGroup())
            return rowHeight_ + kTrackGap;
        if (n.kind == NodeKind::Counter)
            return (shut ? 1 : kCounterRows) * rowHeight_ + kTrackGap;
        return (shut ? 1 : n.rowCount) * rowHeight_ + kTrackGap;
    }

    const TrackTree &tree_;
    const std::set<std::string> &collapsed_;
    const std::string &filter_;
    int rowHeight_;
    TrackLayout layout_;
};

}  // namespace

const LaidTrack *TrackLayout::at(double y) const {
    const auto next =
        std::partition_point(tracks.begin(), tracks.end(), [y](const LaidTrack &t) { return t.bottom() <= y; });
    return next == tracks.end() || y < next->top ? nullptr : &*next;
}

const LaidTrack *TrackLayout::of(int node) const {
    const auto found =
        std::find_if(tracks.begin(), tracks.end(), [node](const LaidTrack &t) { return t.node == node; });
    return found == tracks.end() ? nullptr : &*found;
}

TrackLayout layoutTracks(const TrackTree &tree, const std::set<std::string> &collapsed, const std::string &filter,
                         int rowHeight) {
    return LayoutMaker(tree, collapsed, filter, rowHeight).make();
}

draw::LaneMetrics laneMetrics(const LaidTrack &laid, const TrackNode &node, double top, int rowHeight,
                              double pixel) {
    const double squeezed = static_cast<double>(rowHeight) / std::max(1, node.rowCount);
    return {top, laid.collapsed ? squeezed : rowHeight, pixel};
}

}  // namespace wattproof::widgets
