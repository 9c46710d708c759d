#include "importers/cpuprofile/cpuprofile_importer.h"

#include "importers/cpuprofile/sample_stack.h"
#include "importers/profile/json_items.h"
#include "importers/profile/run.h"

#include <algorithm>
#include <string>

namespace wattproof::importers {
namespace {

using namespace cpuprofile;

constexpr std::size_t kMostSamples = 20'000'000;
constexpr std::size_t kMostNodes = 4'000'000;
constexpr std::uint64_t kSamplesPerCheck = 65'536;
constexpr std::int64_t kFarthestUs = std::int64_t{1} << 52U;

struct Function {
    std::string name, url;
    std::int64_t line = -1, column = -1;  // from 0, as V8 counts them
};

struct TimedSample {
    std::int64_t node = 0;
    Ns at = 0;
};

class CpuprofileImport {
public:
    CpuprofileImport(Input &input, ProfileRun &run) : input_(input), run_(run) {}

    Expected<Summary> import() {
        auto end = readJsonItems(input_, visitor());
        if (!end)
            return passOn(end);
        if (tree_.empty())
            return failure("This JSON file is no CPU profile: it has no \"nodes\" with a \"callFrame\"",
                           input_.path(),
                           "save it with node --cpu-prof or from the developer tools of 2017 or later");
        if (!end->whole && input_.damage().empty())
            run_.warn(end->cut ? "truncated_input" : "malformed_json",
                      end->cut ? "The file ends within its JSON; what was whole was read."
                               : "The file was read up to where it is damaged: " + end->reason + ".",
                      end->offset);
        if (Status status = slices(); !status)
            return passOn(status);
        return run_.finish(std::nullopt);
    }

private:
    JsonVisitor visitor() {
        JsonVisitor visitor;
        visitor.isItem = [](std::string_view path) { return path == "nodes[]"; };
        visitor.item = [this](std::string_view, const JsonItem &item, std::uint64_t offset) {
            node(item, offset);
        };
        visitor.value = [this](std::string_view path, const JsonValue &value, std::uint64_t offset) {
            single(path, value, offset);
        };
        visitor.closed = [](std::string_view) {};
        visitor.checkpoint = [this] { return run_.checkpoint(); };
        return visitor;
    }

    void single(std::string_view path, const JsonValue &value, std::uint64_t offset) {
        std::vector<std::int64_t> *list = path == "samples[]"      ? &samples_
                                          : path == "timeDeltas[]" ? &deltas_
                                                                   : nullptr;
        if (path == "startTime")
            startUs_ = wholeOf(value);
        else if (path == "endTime")
            endUs_ = wholeOf(value);
        else if (list && list->size() < kMostSamples)
            list->push_back(wholeOf(value));
        else if (list)
            run_.warn("too_many_samples", "Samples after the first 20 million were left out.", offset);
    }

    // Some tools write times and deltas with a fraction.
    static std::int64_t wholeOf(const JsonValue &value) {
        if (const auto whole = value.whole())
            return std::clamp(*whole, -kFarthestUs, kFarthestUs);
        const double limit = static_cast<double>(kFarthestUs);
        return static_cast<std::int64_t>(std::clamp(value.real, -limit, limit));
    }

    void node(const JsonItem &item, std::uint64_t offset) {
        const std::int64_t id = item.wholeOr("id", 0);
        if (id == 0 || functions_.size() >= kMostNodes)
            return run_.warn("missing_field", "Nodes without an id, or above 4 million, were left out.", offset);
        Function function;
        function.name = item.text("callFrame.functionName");
        function.url = item.text("callFrame.url");
        function.line = item.wholeOr("callFrame.lineNumber", -1);
        function.column = item.wholeOr("callFrame.columnNumber", -1);
        CallNode &own = tree_[id];
        own.isRoot = function.name == "(root)";
        own.isIdle = function.name == "(idle)";
        own.isCollector = function.name == "(garbage collector)";
        own.parent = item.wholeOr("parent", own.parent);
        for (const JsonItem::Leaf &leaf : item.leaves())
            if (leaf.key == "children[]")
                tree_[leaf.value.whole().value_or(0)].parent = id;
        functions_.insert_or_assign(id, std::move(function));
    }

    // Samples in order of time: V8's deltas step back now and then.
    std::vector<TimedSample> timed() {
        std::vector<TimedSample> all;
        Ns at = startUs_ * 1000;
        const std::size_t count = std::min(samples_.size(), deltas_.size());
        if (samples_.size() != deltas_.size())
            run_.warn("missing_value", "Samples without a time, or times without a sample, were left out.", 0,
                      static_cast<std::int64_t>(std::max(samples_.size(), deltas_.size()) - count));
        all.reserve(count);
        std::int64_t back = 0;
        for (std::size_t i = 0; i < count; ++i) {
            Ns next = 0;
            if (__builtin_add_overflow(at, deltas_[i] * 1000, &next))
                break;
            at = next;
            back += deltas_[i] < 0 ? 1 : 0;
            all.push_back({samples_[i], at});
            run_.countEvent();
        }
        if (back > 0)
            run_.warn("clock_backwards", "Samples that lie before their predecessor were put in order.", 0, back);
        std::stable_sort(all.begin(), all.end(),
                         [](const TimedSample &a, const TimedSample &b) { return a.at < b.at; });
        return all;
    }

    Status slices() {
        const std::vector<TimedSample> samples = timed();
        const ProcessId process = run_.places().process("V8", "CPU profile");
        track_ = run_.places().thread(process, "1", "JavaScript");
        SampleStack stack(tree_, [this](std::int64_t node, Ns begin, Ns end, std::uint64_t order) {
            emit(node, begin, end, order);
        });
        for (std::size_t i = 0; i < samples.size(); ++i) {
            if (i % kSamplesPerCheck == 0)
                if (auto status = run_.checkpoint(); !status)
                    return status;
            if (!stack.sample(samples[i].node, samples[i].at))
                run_.warn("unknown_node", "Samples of nodes that are not in the file were taken for idle time.");
        }
        if (!samples.empty())
            stack.finish(std::max(samples.back().at, endUs_ * 1000));
        if (stack.cutStacks() > 0)
            run_.warn("deep_stack", "Calls deeper than 1,024 were cut off.", 0,
                      static_cast<std::int64_t>(stack.cutStacks()));
        run_.metadata("samples", std::to_string(samples.size()));
        return {};
    }

    void emit(std::int64_t node, Ns begin, Ns end, std::uint64_t order) {
        const Function &function = functions_[node];
        Ns dur = end - begin;
        if (!run_.acceptable(begin, dur, order))
            return;
        RawEvent event;
        event.track = track_;
        event.ts = begin;
        event.name = run_.name(function.name.empty() ? "(anonymous)" : function.name);
        event.category = run_.writer().intern("sampled");
        event.origin = {order};
        ProfileArguments &arguments = run_.arguments();
        arguments.clear();
        if (!function.url.empty())
            arguments.text("url", function.url);
        if (function.line >= 0)
            arguments.integer("line", function.line + 1);
        if (function.column >= 0)
            arguments.integer("column", function.column + 1);
        event.args = arguments.write();
        run_.builder().complete(event, dur);
    }

    Input &input_;
    ProfileRun &run_;
    CallTree tree_;
    std::unordered_map<std::int64_t, Function> functions_;
    std::vector<std::int64_t> samples_, deltas_;
    std::int64_t startUs_ = 0, endUs_ = 0;
    TrackId track_;
};

class CpuprofileImporter final : public Importer {
public:
    [[nodiscard]] std::string_view name() const override { return "cpuprofile"; }

    [[nodiscard]] double probe(std::span<const char> head, std::string_view fileName) const override {
        const std::string_view text(head.data(), head.size());
        const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
        if (first == std::string_view::npos || text[first] != '{' ||
            text.find("\"traceEvents\"") != std::string_view::npos)
            return 0.0;
        const bool nodes = text.find("\"nodes\"") != std::string_view::npos &&
                           text.find("\"callFrame\"") != std::string_view::npos;
        return nodes ? 0.96 : fileName.ends_with(".cpuprofile") ? 0.6 : 0.0;
    }

    [[nodiscard]] Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &,
                                           const Task &task) const override {
        auto run = ProfileRun::begin(input, writer, task, "cpuprofile");
        if (!run)
            return passOn(run);
        return CpuprofileImport(input, **run).import();
    }
};

}  // namespace

std::unique_ptr<Importer> makeCpuprofileImporter() {
    return std::make_unique<CpuprofileImporter>();
}

}  // namespace wattproof::importers
