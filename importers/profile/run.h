// What the imports of all profilers' exports have in common: the source's row, progress, names with their classes,
// the clock, the summary.
#pragma once

#include "importers/kernel_classes.h"
#include "importers/profile/arguments.h"
#include "importers/profile/places.h"
#include "importers/trace/trace_source.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace wattproof::importers {

class ProfileRun {
public:
    // Adds the source. The format may be made more precise until finish().
    [[nodiscard]] static Expected<std::unique_ptr<ProfileRun>> begin(Input &, store::BulkWriter &, const Task &,
                                                                     std::string format);

    [[nodiscard]] store::BulkWriter &writer() { return writer_; }
    [[nodiscard]] TraceBuilder &builder() { return *builder_; }
    [[nodiscard]] ProfilePlaces &places() { return *places_; }
    [[nodiscard]] ProfileArguments &arguments() { return arguments_; }
    [[nodiscard]] SourceRow &source() { return source_.row(); }
    [[nodiscard]] const Task &task() const { return source_.task(); }

    // A name as the workspace keeps it: proper UTF-8.
    [[nodiscard]] StringId name(std::string_view);
    // The name of a GPU operation, classed by its activity or by the rules for kernels.
    [[nodiscard]] StringId operationName(std::string_view, GpuActivity);
    void warn(std::string_view kind, std::string_view message, std::uint64_t offset = 0, std::int64_t count = 1) {
        builder_->warn(kind, message, {offset}, count);
    }
    void metadata(std::string_view key, std::string_view value);
    // False (and a warning) when no such times can be kept. `dur` below 0 becomes 0 and is counted.
    [[nodiscard]] bool acceptable(Ns ts, Ns &dur, std::uint64_t offset);
    // Sets the event's time and place in the file, and its length (0 without an end). False, and counted, without
    // a start or beyond any clock.
    [[nodiscard]] bool range(std::optional<Ns> start, std::optional<Ns> end, std::uint64_t offset, RawEvent &,
                             Ns &dur);
    void countEvent() { ++events_; }
    [[nodiscard]] std::int64_t events() const { return events_; }

    // As of TraceSource.
    [[nodiscard]] Status checkpoint() { return source_.checkpoint(); }
    [[nodiscard]] Status checkpoint(std::uint64_t done, std::uint64_t total, std::string_view unit) {
        return source_.checkpoint(done, total, unit);
    }
    // wallBase: epoch time of stated time 0, where the file tells.
    [[nodiscard]] Expected<Summary> finish(std::optional<Ns> wallBase);

private:
    ProfileRun(Input &, store::BulkWriter &, const Task &, KernelClassifier);

    Input &input_;
    store::BulkWriter &writer_;
    KernelClassifier classifier_;
    TraceSource source_;
    std::optional<TraceBuilder> builder_;  // of the source that begin() has added
    std::optional<ProfilePlaces> places_;
    ProfileArguments arguments_;
    std::unordered_set<StringId> classified_;
    std::int64_t events_ = 0;
};

// The category by which rules and colours know GPU work: "kernel", "gpu_memcpy", "gpu_memset".
[[nodiscard]] std::string_view categoryOf(GpuActivity);

}  // namespace wattproof::importers
