// From samples of a call tree to nested slices: what two samples in a row share goes on, the rest ends and begins.
#pragma once

#include "store/time.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::cpuprofile {

struct CallNode {
    std::int64_t parent = 0;  // 0: none
    bool isRoot = false, isIdle = false, isCollector = false;
};

using CallTree = std::unordered_map<std::int64_t, CallNode>;

class SampleStack {
public:
    // Called for each range that has ended, inner ones first. `order` grows with each beginning.
    using Emit = std::function<void(std::int64_t node, Ns begin, Ns end, std::uint64_t order)>;
    SampleStack(const CallTree &tree, Emit emit) : tree_(tree), emit_(std::move(emit)) {}

    // Samples in order of time. False when the node is not in the tree: nothing is known to run then.
    bool sample(std::int64_t node, Ns at);
    void finish(Ns at);
    // Calls deeper than this are cut off; a circle among the nodes is too.
    static constexpr std::size_t kDeepest = 1024;
    [[nodiscard]] std::uint64_t cutStacks() const { return cut_; }

private:
    struct Frame {
        std::int64_t node = 0;
        Ns begin = 0;
        std::uint64_t order = 0;
    };
    void stackOf(std::int64_t node);
    void closeFrom(std::size_t depth, Ns at);

    const CallTree &tree_;
    Emit emit_;
    std::vector<Frame> open_;
    std::vector<std::int64_t> wanted_;  // outermost first
    std::uint64_t order_ = 0, cut_ = 0;
};

}  // namespace wattproof::importers::cpuprofile
