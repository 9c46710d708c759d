#include "importers/nsys/sqlite_export.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace wattproof::importers::nsys {
namespace {

struct ApiTable {
    const char *table;
    std::string_view category;
};

constexpr std::array<ApiTable, 8> kLibraries{{{"OSRT_API", "os_runtime"},
                                              {"CUBLAS_EVENTS", "cublas"},
                                              {"CUDNN_EVENTS", "cudnn"},
                                              {"MPI_P2P_EVENTS", "mpi"},
                                              {"MPI_COLLECTIVES_EVENTS", "mpi"},
                                              {"MPI_OTHER_EVENTS", "mpi"},
                                              {"OPENACC_OTHER_EVENTS", "openacc"},
                                              {"OPENACC_LAUNCH_EVENTS", "openacc"}}};

constexpr std::int64_t kDriverClass = 1;

// NVTX event types of the export.
constexpr std::int64_t kMark = 34, kPushPop = 59, kStartEnd = 60, kDomain = 75;

enum NvtxColumn : std::size_t { kStart, kEnd, kType, kText, kTextId, kDomainId, kTid, kCategory, kColor };

// "cudaLaunchKernel_v7000": the version of the entry point is no part of the name.
std::string_view withoutVersion(std::string_view name) {
    const std::size_t at = name.rfind("_v");
    if (at == std::string_view::npos || name.size() - at < 6)
        return name;
    const std::string_view digits = name.substr(at + 2);
    return std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; })
               ? name.substr(0, at)
               : name;
}

}  // namespace

Status SqliteExport::runtimeCalls() {
    enum : std::size_t { kCallStart, kCallEnd, kClass, kThread, kCorrelation, kName, kReturn };
    return tables_.read(
        "CUPTI_ACTIVITY_KIND_RUNTIME",
        {"start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"},
        [&](const ExportRow &row) {
            RawEvent event;
            Ns dur = 0;
            if (!run_.range(row.whole(kCallStart), row.whole(kCallEnd), row.record(), event, dur))
                return;
            const std::int64_t thread = row.wholeOr(kThread, 0);
            event.track = places_.thread(thread);
            event.name = run_.name(withoutVersion(places_.text(row.wholeOr(kName, 0))));
            event.category =
                run_.writer().intern(row.wholeOr(kClass, 0) == kDriverClass ? "cuda_driver" : "cuda_runtime");
            run_.arguments().integer("correlationId", row.wholeOr(kCorrelation, 0));
            if (const auto result = row.whole(kReturn); result && *result != 0)
                run_.arguments().integer("returnValue", *result);
            event.args = run_.arguments().write();
            run_.builder().launchCall(event, dur, places_.correlation(thread, row.wholeOr(kCorrelation, 0)), 0);
        });
}

Status SqliteExport::libraryCalls() {
    for (const ApiTable &api : kLibraries) {
        auto status =
            tables_.read(api.table, {"start", "end", "globalTid", "nameId", "textId"}, [&](const ExportRow &row) {
                RawEvent event;
                Ns dur = 0;
                if (!run_.range(row.whole(0), row.whole(1), row.record(), event, dur))
                    return;
                event.track = places_.thread(row.wholeOr(2, 0));
                event.name = run_.name(places_.text(row.wholeOr(row.has(3) ? 3 : 4, 0)));
                event.category = run_.writer().intern(api.category);
                run_.builder().complete(event, dur);
            });
        if (!status)
            return status;
    }
    return {};
}

// Domains are named by rows among the ranges: a first pass finds them, wherever they stand.
Status SqliteExport::annotations() {
    auto status = tables_.read(
        "NVTX_EVENTS", {"eventType", "text", "textId", "domainId", "globalTid"}, [&](const ExportRow &row) {
            if (row.wholeOr(0, 0) != kDomain)
                return;
            const std::string_view name = row.has(1) ? row.text(1) : places_.text(row.wholeOr(2, 0));
            domains_.try_emplace({processPart(row.wholeOr(4, 0)), row.wholeOr(3, 0)}, name);
        });
    if (!status)
        return status;
    return tables_.read(
        "NVTX_EVENTS",
        {"start", "end", "eventType", "text", "textId", "domainId", "globalTid", "category", "color"},
        [&](const ExportRow &row) { annotation(row); });
}

void SqliteExport::annotation(const ExportRow &row) {
    const std::int64_t type = row.wholeOr(kType, 0);
    if (type == kDomain)
        return;
    if (type != kMark && type != kPushPop && type != kStartEnd)
        return run_.warn("unsupported_phase", "NVTX events that are no mark and no range were left out.",
                         row.record());
    RawEvent event;
    Ns dur = 0;
    if (!run_.range(row.whole(kStart), row.whole(kEnd), row.record(), event, dur))
        return;
    const std::int64_t thread = row.wholeOr(kTid, 0);
    const std::string_view text = row.has(kText) ? row.text(kText) : places_.text(row.wholeOr(kTextId, 0));
    event.name = run_.name(text.empty() ? "[NVTX]" : text);
    event.category = run_.writer().intern("user_annotation");
    const std::int64_t domain = row.wholeOr(kDomainId, 0);
    if (const auto named = domains_.find({processPart(thread), domain}); named != domains_.end())
        run_.arguments().text("domain", named->second);
    else if (domain != 0)
        run_.arguments().integer("domain", domain);
    if (const auto category = row.whole(kCategory))
        run_.arguments().integer("category", *category);
    event.args = run_.arguments().write();
    if (type == kStartEnd) {
        event.track = run_.places().other(TrackKind::Async, places_.process(thread), "NVTX ranges");
        const AsyncKey key{row.record()};
        run_.builder().asyncBegin(event, key);
        event.ts += dur;
        if (row.has(kEnd))
            run_.builder().asyncEnd(event, key);
        return;
    }
    event.track = places_.thread(thread);
    if (type == kMark)
        run_.builder().instant(event);
    else if (row.has(kEnd))
        run_.builder().complete(event, dur);
    else
        run_.builder().begin(event);
}

}  // namespace wattproof::importers::nsys
