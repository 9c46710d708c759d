#include "importers/profile/run.h"

#include "importers/table/table_reader.h"
#include "importers/trace/time_crowd.h"

#include <utility>

namespace wattproof::importers {
namespace {

constexpr auto kReportEvery = std::chrono::milliseconds(100);

}  // namespace

bool isEpochTime(Ns stated) {
    constexpr Ns year2000 = 946'684'800'000'000'000, year2100 = 4'102'444'800'000'000'000;
    return stated >= year2000 && stated < year2100;
}

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
    SourceRow row;
    row.kind = SourceKind::Trace;
    row.path = input.path();
    row.format = std::move(format);
    row.sizeBytes = input.sizeBytes();
    auto id = writer.addSource(row);
    if (!id)
        return passOn(id);
    row.id = *id;
    return std::unique_ptr<ProfileRun>(
        new ProfileRun(input, writer, task, std::move(*classifier), std::move(row)));
}

ProfileRun::ProfileRun(Input &input, store::BulkWriter &writer, const Task &task, KernelClassifier classifier,
                       SourceRow row)
    : input_(input),
      writer_(writer),
      task_(task),
      classifier_(std::move(classifier)),
      row_(std::move(row)),
      builder_(writer, row_.id),
      places_(writer, row_.id),
      arguments_(writer) {}

StringId ProfileRun::name(std::string_view text) {
    return writer_.intern(validUtf8(text));
}

StringId ProfileRun::operationName(std::string_view text, GpuActivity activity) {
    const std::string valid = validUtf8(text);
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
    writer_.addMetadata({row_.id, validUtf8(key), validUtf8(value)});
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

Status ProfileRun::checkpoint(std::uint64_t done, std::uint64_t total, std::string_view unit) {
    if (task_.cancelled())
        return cancelled();
    const auto now = std::chrono::steady_clock::now();
    if (now - reported_ < kReportEvery)
        return {};
    reported_ = now;
    task_.report({"Reading " + row_.path.substr(row_.path.find_last_of('/') + 1), done, total, std::string(unit)});
    return {};
}

Expected<Summary> ProfileRun::finish(std::optional<Ns> wallBase) {
    if (!input_.damage().empty())
        warn("truncated_input", input_.damage(), input_.position());
    if (events_ == 0)
        warn("no_events", "The trace holds no events.");
    Summary summary;
    if (auto status = builder_.finish(row_, summary, task_); !status)
        return passOn(status);
    Ns sum = 0;
    row_.clock = isEpochTime(row_.statedBase) ? ClockBasis::Epoch : ClockBasis::Relative;
    if (row_.clock == ClockBasis::Relative && wallBase &&
        !__builtin_add_overflow(row_.statedBase, *wallBase, &sum) && isEpochTime(sum)) {
        row_.clock = ClockBasis::Epoch;
        row_.statedBase = sum;
    }
    auto hash = input_.sha256();
    if (!hash)
        return passOn(hash);
    row_.sha256 = *hash;
    summary.source = row_.id;
    summary.path = row_.path;
    summary.format = row_.format;
    summary.bytes = input_.position() > 0 ? input_.position() : input_.sizeBytes();
    summary.events = events_;
    if (auto status = writer_.updateSource(row_); !status)
        return passOn(status);
    if (auto status = writer_.finishSource(row_.id); !status)
        return passOn(status);
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return summary;
}

}  // namespace wattproof::importers
