#include "importers/cpuprofile/cpuprofile_importer.h"

#include "importers/cpuprofile/cpu_profile.h"
#include "importers/profile/json_items.h"
#include "importers/profile/run.h"

#include <algorithm>
#include <string>

namespace wattproof::importers {
namespace {

using namespace cpuprofile;

constexpr std::size_t kMostSamples = 20'000'000;
constexpr std::int64_t kFarthestUs = std::int64_t{1} << 52U;

class CpuprofileImport {
public:
    CpuprofileImport(Input &input, ProfileRun &run)
        : input_(input), run_(run), profile_(run.writer(), run.builder()) {}

    Expected<Summary> import() {
        auto end = readJsonItems(input_, visitor());
        if (!end)
            return passOn(end);
        if (!profile_.hasNodes())
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
        Function function;
        function.name = item.text("callFrame.functionName");
        function.url = item.text("callFrame.url");
        function.line = item.wholeOr("callFrame.lineNumber", -1);
        function.column = item.wholeOr("callFrame.columnNumber", -1);
        profile_.node(id, item.whole("parent"), std::move(function), offset);
        for (const JsonItem::Leaf &leaf : item.leaves())
            if (leaf.key == "children[]")
                profile_.child(id, leaf.value.whole().value_or(0));
    }

    Status slices() {
        const std::size_t count = std::min(samples_.size(), deltas_.size());
        if (samples_.size() != deltas_.size())
            run_.warn("missing_value", "Samples without a time, or times without a sample, were left out.", 0,
                      static_cast<std::int64_t>(std::max(samples_.size(), deltas_.size()) - count));
        profile_.startAt(startUs_ * 1000);
        for (std::size_t i = 0; i < count; ++i) {
            profile_.sample(samples_[i], deltas_[i] * 1000, 0);
            run_.countEvent();
        }
        const ProcessId process = run_.places().process("V8", "CPU profile");
        run_.metadata("samples", std::to_string(profile_.samples()));
        return profile_.unroll(run_.places().thread(process, "1", "JavaScript"), endUs_ * 1000,
                               [this] { return run_.checkpoint(); });
    }

    Input &input_;
    ProfileRun &run_;
    CpuProfile profile_;
    std::vector<std::int64_t> samples_, deltas_;
    std::int64_t startUs_ = 0, endUs_ = 0;
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
