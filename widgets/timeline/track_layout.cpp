#include "widgets/timeline/track_layout.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace wattproof::widgets {
namespace {

constexpr double kTrackGap = 3;  // of ground below each track of slices
constexpr int kCounterRows = 2;
constexpr double kLeastRow = 2;  // of a track of slices, however low the user makes it

constexpr std::size_t kMostWords = 16;

std::vector<std::string> wordsOf(const std::string &filter) {
    std::istringstream text(lowerCase(filter));
    std::vector<std::string> words;
    for (std::string word; text >> word && words.size() < kMostWords;)
        words.push_back(word);
    return words;
}

class LayoutMaker {
public:
    LayoutMaker(const TrackTree &tree, const Arrangement &arrangement, const LayoutChoice &choice)
        : tree_(tree), arrangement_(arrangement), choice_(choice), words_(wordsOf(choice.filter)) {
        layout_.placeOf.resize(tree.nodes.size());
    }

    TrackLayout make() {
        for (const std::string &key : arrangement_.pinned)
            if (const int index = tree_.find(key); index >= 0 && !layout_.of(index))
                pin(index);
        placed_ = &layout_.tracks;
        for (const int root : tree_.roots)
            place(root, 0);
        layout_.height = top_;
        layout_.hiddenCount = countHidden();
        return std::move(layout_);
    }

private:
    const TrackNode &node(int index) const { return tree_.nodes[static_cast<std::size_t>(index)]; }
    // A bit for each word.
    [[nodiscard]] unsigned all() const { return (1U << words_.size()) - 1; }

    // The words that the node has, with those that nodes above it have.
    unsigned found(int index, unsigned above) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if (node(index).words.find(words_[i]) != std::string::npos)
                above |= 1U << i;
        return above;
    }

    bool matches(int index, unsigned above) const {
        const unsigned here = found(index, above);
        const std::vector<int> &children = node(index).children;
        return here == all() || std::any_of(children.begin(), children.end(),
                                            [this, here](int child) { return matches(child, here); });
    }

    int countHidden() const {
        if (arrangement_.hidden.empty())
            return 0;
        return static_cast<int>(std::count_if(tree_.nodes.begin(), tree_.nodes.end(), [this](const TrackNode &n) {
            return arrangement_.hidden.contains(n.key);
        }));
    }

    void pin(int index) {
        placed_ = &layout_.pinned;
        level_ = node(index).level;
        for (const bool squeezed : {false, true}) {
            squeezed_ = squeezed;
            top_ = layout_.pinnedHeight;
            const std::size_t before = placed_->size();
            place(index, all());
            if (top_ <= choice_.pinnedRoom) {
                layout_.pinnedHeight = top_;
                break;
            }
            for (; placed_->size() > before; placed_->pop_back())
                layout_.placeOf[static_cast<std::size_t>(placed_->back().node)] = 0;
        }
        squeezed_ = false;
        level_ = 0;
        top_ = 0;
    }

    // `above`: the words that were found above it.
    void place(int index, unsigned above) {
        const TrackNode &n = node(index);
        const bool hidden = arrangement_.hidden.contains(n.key);
        if (layout_.of(index) || (hidden && !choice_.showHidden) || !matches(index, above))
            return;
        const bool opened = !words_.empty() && n.isGroup() && placed_ == &layout_.tracks;
        const bool shut = squeezed_ || (arrangement_.collapsed.contains(n.key) && !opened);
        const bool pinned = placed_ == &layout_.pinned;
        const double height = heightOf(n, shut);
        placed_->push_back({index, top_, height, shut, pinned, hidden, n.level - level_});
        const int nth = static_cast<int>(placed_->size());
        layout_.placeOf[static_cast<std::size_t>(index)] = pinned ? -nth : nth;
        top_ += height;
        if (!shut)
            for (const int child : n.children)
                place(child, found(index, above));
    }

    double heightOf(const TrackNode &n, bool shut) const {
        if (n.isGroup())
            return choice_.rowHeight + kTrackGap;
        const int rows = shut ? 1 : n.kind == NodeKind::Counter ? kCounterRows : n.rowCount;
        const double usual = static_cast<double>(rows) * choice_.rowHeight;
        const double least = shut || n.kind == NodeKind::Counter ? choice_.rowHeight / 2.0 : kLeastRow * n.rowCount;
        return std::round(std::max(least, usual * arrangement_.heightOf(n.key))) + kTrackGap;
    }

    const TrackTree &tree_;
    const Arrangement &arrangement_;
    const LayoutChoice &choice_;
    std::vector<std::string> words_;
    TrackLayout layout_;
    std::vector<LaidTrack> *placed_ = nullptr;
    double top_ = 0;
    int level_ = 0;  // that a pinned one loses
    bool squeezed_ = false;
};

}  // namespace

const LaidTrack *TrackLayout::at(const std::vector<LaidTrack> &laid, double y) {
    const auto next =
        std::partition_point(laid.begin(), laid.end(), [y](const LaidTrack &t) { return t.bottom() <= y; });
    return next == laid.end() || y < next->top ? nullptr : &*next;
}

const LaidTrack *TrackLayout::of(int node) const {
    const int place = node < 0 ? 0 : placeOf[static_cast<std::size_t>(node)];
    if (place == 0)
        return nullptr;
    return place > 0 ? &tracks[static_cast<std::size_t>(place - 1)] : &pinned[static_cast<std::size_t>(-place - 1)];
}

TrackLayout layoutTracks(const TrackTree &tree, const Arrangement &arrangement, const LayoutChoice &choice) {
    return LayoutMaker(tree, arrangement, choice).make();
}

std::vector<TrackBlock> siblingBlocks(const TrackTree &tree, const TrackLayout &layout, int node) {
    std::vector<TrackBlock> blocks;
    const LaidTrack *laid = layout.of(node);
    if (!laid)
        return blocks;
    const std::vector<LaidTrack> &list = laid->pinned ? layout.pinned : layout.tracks;
    const bool amongPinned = laid->pinned && laid->level == 0;
    const int parent = tree.nodes[static_cast<std::size_t>(node)].parent;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool sibling = list[i].level == laid->level &&
                             (amongPinned || tree.nodes[static_cast<std::size_t>(list[i].node)].parent == parent);
        if (!sibling)
            continue;
        std::size_t last = i;
        while (last + 1 < list.size() && list[last + 1].level > list[i].level)
            ++last;
        blocks.push_back({list[i].node, list[i].top, list[last].bottom()});
    }
    return blocks;
}

draw::LaneMetrics laneMetrics(const LaidTrack &laid, const TrackNode &node, double top, double pixel) {
    return {top, (laid.height - kTrackGap) / std::max(1, node.rowCount), pixel};
}

}  // namespace wattproof::widgets
