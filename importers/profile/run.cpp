#include "importers/profile/run.h"

#include "importers/text/mended.h"
#include "importers/trace/time_crowd.h"

#include <utility>

namespace wattproof::importers {

std::string_view categoryOf(GpuActivity activity) {
    if (activity == GpuActivity::Memcpy)
        return "gpu_memcpy";
    return activity == GpuActivity::Memset ? "gpu_memset" : "kernel";
}

Expected<std::unique_ptr<ProfileRun>> ProfileRun::begin(Input &input, store::BulkWriter &writer, const Task &task,
                                                        std::string format) {
    auto classifier = KernelClassifier::load();
    if (!classifier)
        return passOn(classifier);
    std::unique_ptr<ProfileRun> run(new ProfileRun(input, writer, task, std::move(*classifier)));
    if (auto status = run->source_.begin(std::move(format)); !status)
        return passOn(status);
    const SourceId id = run->source_.row().id;
    run->builder_.emplace(writer, id);
    run->places_.emplace(writer, id);
    return run;
}

ProfileRun::ProfileRun(Input &input, store::BulkWriter &writer, const Task &task, KernelClassifier classifier)
    : input_(input),
      writer_(writer),
      classifier_(std::move(classifier)),
      source_(input, writer, task),
      arguments_(writer) {}

StringId ProfileRun::name(std::string_view text) {
    return writer_.intern(mendedText(text));
}

StringId ProfileRun::operationName(std::string_view text, GpuActivity activity) {
    const std::string valid = mendedText(text);
    const StringId id = writer_.intern(valid);
    if (!classified_.insert(id).second)
        return id;
    if (activity == GpuActivity::Kernel) {
        const KernelClass found = classifier_.classify(valid);
        writer_.classifyName(id, found.opClass, found.precision);
    } else {
        writer_.classifyName(id, activity == GpuActivity::Memcpy ? "copy" : "memset", "");
    }
    return id;
}

void ProfileRun::metadata(std::string_view key, std::string_view value) {
    writer_.addMetadata({source_.row().id, mendedText(key), mendedText(value)});
}

bool ProfileRun::acceptable(Ns ts, Ns &dur, std::uint64_t offset) {
    if (ts < -kLargestTime || ts > kLargestTime || dur > kLargestTime) {
        warn("timestamp_outlier", "Events whose times are beyond any clock were left out.", offset);
        return false;
    }
    if (dur < 0) {
        warn("negative_duration", "Events that end before they begin were given the length 0.", offset);
        dur = 0;
    }
    return true;
}

bool ProfileRun::range(std::optional<Ns> start, std::optional<Ns> end, std::uint64_t offset, RawEvent &event,
                       Ns &dur) {
    countEvent();
    if (!start) {
        warn("missing_field", "Events without a start were left out.", offset);
        return false;
    }
    event.ts = *start;
    event.origin = {offset};
    if (__builtin_sub_overflow(end.value_or(*start), *start, &dur)) {
        warn("timestamp_outlier", "Events whose times are beyond any clock were left out.", offset);
        return false;
    }
    return acceptable(*start, dur, offset);
}

Expected<Summary> ProfileRun::finish(std::optional<Ns> wallBase) {
    if (!input_.damage().empty())
        warn("truncated_input", input_.damage(), input_.position());
    if (events_ == 0)
        warn("no_events", "The trace holds no events.");
    if (auto status = source_.write(*builder_, wallBase); !status)
        return passOn(status);
    return source_.close(events_);
}

}  // namespace wattproof::importers
