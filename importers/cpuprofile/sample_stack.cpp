#include "importers/cpuprofile/sample_stack.h"

#include <algorithm>

namespace wattproof::importers::cpuprofile {

void SampleStack::stackOf(std::int64_t node) {
    wanted_.clear();
    for (std::int64_t id = node; id != 0;) {
        const auto found = tree_.find(id);
        if (found == tree_.end())
            break;
        if (wanted_.size() == kDeepest) {
            ++cut_;
            break;
        }
        if (!found->second.isRoot && !found->second.isIdle)
            wanted_.push_back(id);
        id = found->second.parent;
    }
    std::reverse(wanted_.begin(), wanted_.end());
}

void SampleStack::closeFrom(std::size_t depth, Ns at) {
    while (open_.size() > depth) {
        const Frame &frame = open_.back();
        emit_(frame.node, frame.begin, at, frame.order);
        open_.pop_back();
    }
}

bool SampleStack::sample(std::int64_t node, Ns at) {
    const auto found = tree_.find(node);
    // The collector interrupts what runs: V8 hangs it below the root, it belongs on top.
    if (found != tree_.end() && found->second.isCollector) {
        wanted_.clear();
        for (const Frame &frame : open_)
            wanted_.push_back(frame.node);
        if (wanted_.empty() || wanted_.back() != node)
            wanted_.push_back(node);
    } else {
        stackOf(node);
    }
    std::size_t same = 0;
    while (same < open_.size() && same < wanted_.size() && open_[same].node == wanted_[same])
        ++same;
    closeFrom(same, at);
    for (; same < wanted_.size(); ++same)
        open_.push_back({wanted_[same], at, ++order_});
    return found != tree_.end();
}

void SampleStack::finish(Ns at) {
    closeFrom(0, at);
}

}  // namespace wattproof::importers::cpuprofile
