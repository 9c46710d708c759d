#include "importers/trace/trace_source.h"

#include <utility>

namespace wattproof::importers {

bool isEpochTime(Ns stated) {
    constexpr Ns kYear2000 = 946'684'800'000'000'000, kYear2100 = 4'102'444'800'000'000'000;
    return stated >= kYear2000 && stated < kYear2100;
}

Status TraceSource::begin(std::string format) {
    row_.kind = SourceKind::Trace;
    row_.path = input_.path();
    row_.format = std::move(format);
    row_.sizeBytes = input_.sizeBytes();
    auto id = writer_.addSource(row_);
    if (!id)
        return passOn(id);
    row_.id = *id;
    return {};
}

Status TraceSource::checkpoint(std::uint64_t done, std::uint64_t total, std::string_view unit) {
    constexpr auto kReportEvery = std::chrono::milliseconds(100);
    if (task_.cancelled())
        return cancelled();
    const auto now = Clock::now();
    if (now - reported_ < kReportEvery)
        return {};
    reported_ = now;
    task_.report({"Reading " + row_.path.substr(row_.path.find_last_of('/') + 1), done, total, std::string(unit)});
    return {};
}

Status TraceSource::write(TraceBuilder &builder, std::optional<Ns> wallBase) {
    if (auto status = builder.finish(row_, summary_, task_); !status)
        return status;
    settleClock(wallBase);
    return {};
}

void TraceSource::settleClock(std::optional<Ns> wallBase) {
    row_.clock = isEpochTime(row_.statedBase) ? ClockBasis::Epoch : ClockBasis::Relative;
    Ns sum = 0;
    if (row_.clock == ClockBasis::Relative && wallBase &&
        !__builtin_add_overflow(row_.statedBase, *wallBase, &sum) && isEpochTime(sum)) {
        row_.clock = ClockBasis::Epoch;
        row_.statedBase = sum;
    }
}

Expected<Summary> TraceSource::close(std::int64_t events) {
    auto hash = input_.sha256();
    if (!hash)
        return passOn(hash);
    row_.sha256 = std::move(*hash);
    summary_.source = row_.id;
    summary_.path = row_.path;
    summary_.format = row_.format;
    summary_.bytes = input_.position() > 0 ? input_.position() : input_.sizeBytes();
    summary_.events = events;
    if (auto status = writer_.updateSource(row_); !status)
        return passOn(status);
    if (auto status = writer_.finishSource(row_.id); !status)
        return passOn(status);
    summary_.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    return std::move(summary_);
}

}  // namespace wattproof::importers
