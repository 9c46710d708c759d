#include "importers/perfetto/perfetto_importer.h"

#include "importers/perfetto/metadata_module.h"
#include "importers/perfetto/packet_dispatcher.h"
#include "importers/perfetto/probe.h"
#include "importers/perfetto/system_gpu.h"
#include "importers/perfetto/system_kernel.h"
#include "importers/perfetto/system_power.h"
#include "importers/perfetto/system_render.h"
#include "importers/perfetto/system_stats.h"
#include "importers/perfetto/track_event_module.h"
#include "store/version.h"

#include <array>
#include <chrono>
#include <ctime>

namespace wattproof::importers {
namespace {

using Clock = std::chrono::steady_clock;

std::string nowUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// One import from the first byte to the finished source.
class Import {
public:
    Import(Input &input, store::BulkWriter &writer, const Task &task)
        : input_(input), writer_(writer), task_(task) {}

    Expected<Summary> run() {
        const auto started = Clock::now();
        if (auto status = begin(); !status)
            return passOn(status);
        TraceBuilder builder(writer_, source_.id);
        perfetto::ClockTracker clocks;
        perfetto::Places places(writer_, source_.id);
        perfetto::FieldCensus census;
        perfetto::ImportContext context{writer_, source_.id, builder, clocks, places, census, source_};
        perfetto::PacketDispatcher dispatcher(context);
        perfetto::SystemTracks systemTracks(context);
        addModules(dispatcher, context, systemTracks);
        if (auto status = readAll(context, dispatcher); !status)
            return passOn(status);
        if (auto status = finish(context, dispatcher); !status)
            return passOn(status);
        summary_.seconds = std::chrono::duration<double>(Clock::now() - started).count();
        return summary_;
    }

private:
    Status begin() {
        source_.kind = SourceKind::Trace;
        source_.path = input_.path();
        source_.format = "perfetto";
        source_.sizeBytes = input_.sizeBytes();
        source_.importedAt = nowUtc();
        source_.toolVersion = toolVersion();
        auto id = writer_.addSource(source_);
        if (!id)
            return passOn(id);
        source_.id = *id;
        return {};
    }

    static void addModules(perfetto::PacketDispatcher &dispatcher, perfetto::ImportContext &context,
                           perfetto::SystemTracks &tracks) {
        dispatcher.add(std::make_unique<perfetto::MetadataModule>(context));
        dispatcher.add(std::make_unique<perfetto::TrackEventModule>(context));
        dispatcher.add(std::make_unique<perfetto::KernelModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::PowerModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::SystemStatsModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::GpuModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::RenderModule>(context, tracks));
    }

    Status readAll(perfetto::ImportContext &context, perfetto::PacketDispatcher &dispatcher) {
        auto &outermost = context.census.message("Trace");
        perfetto::PacketStream stream(
            input_,
            [&context](std::string_view kind, std::string_view message, std::uint64_t offset) {
                context.builder.warn(kind, message, {offset});
            },
            [&outermost](std::uint32_t id, std::uint64_t offset) { outermost.count(id, offset); });
        perfetto::RawPacket packet;
        for (std::uint64_t count = 0;; ++count) {
            auto more = stream.next(packet);
            if (!more)
                return passOn(more);
            if (!*more)
                break;
            if (auto status = dispatcher.take(packet); !status)
                return status;
            if ((count & 0xfffU) == 0)
                if (auto status = report(); !status)
                    return status;
        }
        if (dispatcher.packets() == 0)
            return failure("This file is no Perfetto trace: it has no packet", input_.path(),
                           "give a trace that Perfetto recorded");
        return dispatcher.finish();
    }

    Status report() {
        if (task_.cancelled())
            return cancelled();
        const auto now = Clock::now();
        if (now - reported_ < std::chrono::milliseconds(100))
            return {};
        reported_ = now;
        task_.report({"Reading " + input_.path().substr(input_.path().find_last_of('/') + 1),
                      input_.bytesConsumed(), input_.sizeBytes(), "bytes"});
        return {};
    }

    Status finish(perfetto::ImportContext &context, const perfetto::PacketDispatcher &dispatcher) {
        context.census.report(context.builder);
        context.places.writeNames();
        if (auto status = context.builder.finish(source_, summary_, task_); !status)
            return status;
        settleClock(context.clocks);
        auto hash = input_.sha256();
        if (!hash)
            return passOn(hash);
        source_.sha256 = *hash;
        summary_.source = source_.id;
        summary_.path = source_.path;
        summary_.format = source_.format;
        summary_.bytes = input_.position();
        summary_.events = dispatcher.packets();
        if (auto status = writer_.updateSource(source_); !status)
            return status;
        return writer_.finishSource(source_.id);
    }

    // Where a snapshot tells wall time, the source's times are stated in it: source time 0 is moved, nothing else.
    void settleClock(perfetto::ClockTracker &clocks) {
        const auto wall = clocks.convert(clocks.traceClock(), perfetto::clock_id::kRealtime, source_.statedBase);
        source_.clock = ClockBasis::Relative;
        if (!wall || *wall < kYear2000)
            return;
        writer_.addMetadata({source_.id, "trace_clock_base_ns", std::to_string(source_.statedBase)});
        source_.statedBase = *wall;
        source_.clock = ClockBasis::Epoch;
    }

    static constexpr Ns kYear2000 = 946'684'800'000'000'000;

    Input &input_;
    store::BulkWriter &writer_;
    const Task &task_;
    SourceRow source_;
    Summary summary_;
    Clock::time_point reported_{};
};

class PerfettoImporter final : public Importer {
public:
    std::string_view name() const override { return "perfetto"; }

    double probe(std::span<const char> head, std::string_view) const override {
        return perfetto::probe({head.data(), head.size()});
    }

    Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &,
                             const Task &task) const override {
        return Import(input, writer, task).run();
    }
};

}  // namespace

std::unique_ptr<Importer> makePerfettoImporter() {
    return std::make_unique<PerfettoImporter>();
}

}  // namespace wattproof::importers
