// A CPU profile of V8 as it is told piece by piece: the tree of calls, and samples of its nodes with the time
// since the sample before. In the end it becomes nested slices.
#pragma once

#include "importers/cpuprofile/sample_stack.h"
#include "importers/profile/arguments.h"
#include "importers/trace/trace_builder.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::cpuprofile {

struct Function {
    std::string name, url;
    std::int64_t line = -1, column = -1;  // from 0, as V8 counts them
};

class CpuProfile {
public:
    CpuProfile(store::BulkWriter &writer, TraceBuilder &builder)
        : writer_(writer), builder_(builder), arguments_(writer) {}

    // Nodes may come in any order, and be told of by their children or by their parent.
    void node(std::int64_t id, std::optional<std::int64_t> parent, Function, std::uint64_t offset);
    void child(std::int64_t parent, std::int64_t id);
    [[nodiscard]] bool hasNodes() const { return !functions_.empty(); }

    // The time from which the first sample's delta counts; stated ns.
    void startAt(Ns ts) { at_ = ts; }
    void sample(std::int64_t node, Ns delta, std::uint64_t offset);
    [[nodiscard]] std::size_t samples() const { return samples_.size(); }

    // Hands the slices to the builder. The last sample lasts until `end`, where that is later.
    [[nodiscard]] Status unroll(TrackId, Ns end, const std::function<Status()> &checkpoint);

private:
    struct Sample {
        std::int64_t node = 0;
        Ns at = 0;
    };
    void putInOrder();
    void emit(TrackId, std::int64_t node, Ns begin, Ns end, std::uint64_t order);

    store::BulkWriter &writer_;
    TraceBuilder &builder_;
    ProfileArguments arguments_;
    CallTree tree_;
    std::unordered_map<std::int64_t, Function> functions_;
    std::vector<Sample> samples_;
    Ns at_ = 0;
    std::int64_t backwards_ = 0;
};

}  // namespace wattproof::importers::cpuprofile
