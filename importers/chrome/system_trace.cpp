#include "importers/chrome/system_trace.h"

#include "importers/chrome/decimal.h"

namespace wattproof::importers::chrome {

void SystemTrace::take(std::string_view piece, std::uint64_t offset) {
    if (piece.empty() && !reader_)
        return;
    if (!reader_)
        reader_.emplace(writer_, source_, builder_, std::size_t{64} << 20U);
    if (piece.empty())
        reader_->endText();
    else
        reader_->take(piece, offset);
}

Status SystemTrace::finish(Places &places, const Task &task) {
    if (!reader_)
        return {};
    ftrace::Threads &threads = reader_->threads();
    places.forEachProcess([&threads](const Process &process) {
        if (const auto pid = integer(process.row.pid))
            threads.adopt(*pid, process.row);
    });
    places.forEachThread([&threads](const Thread &thread) {
        const auto pid = integer(thread.process->row.pid), tid = integer(thread.row.tid);
        if (pid && tid)
            threads.adopt(*pid, *tid, thread.row, thread.track);
    });
    if (const auto shift = reader_->toParentClock())
        reader_->shiftTimes(*shift);
    return reader_->finish(task);
}

}  // namespace wattproof::importers::chrome
