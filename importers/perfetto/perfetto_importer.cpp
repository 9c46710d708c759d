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
#include "importers/perfetto/vulkan_memory.h"
#include "importers/trace/trace_source.h"

namespace wattproof::importers {
namespace {

// One import from the first byte to the finished source.
class Import {
public:
    Import(Input &input, store::BulkWriter &writer, const Task &task)
        : input_(input), writer_(writer), source_(input, writer, task) {}

    Expected<Summary> run() {
        if (auto status = source_.begin("perfetto"); !status)
            return passOn(status);
        const SourceId id = source_.row().id;
        TraceBuilder builder(writer_, id);
        perfetto::ClockTracker clocks;
        perfetto::Places places(writer_, id);
        perfetto::FieldCensus census;
        perfetto::ImportContext context{writer_, id,     builder,       clocks,
                                        places,  census, source_.row(), source_.task()};
        perfetto::PacketDispatcher dispatcher(context);
        perfetto::SystemTracks systemTracks(context);
        addModules(dispatcher, context, systemTracks);
        if (auto status = readAll(context, dispatcher); !status)
            return passOn(status);
        census.report(builder);
        places.writeNames();
        if (auto status = source_.write(builder, std::nullopt); !status)
            return passOn(status);
        settleClock(clocks);
        return source_.close(static_cast<std::int64_t>(dispatcher.packets()));
    }

private:
    static void addModules(perfetto::PacketDispatcher &dispatcher, perfetto::ImportContext &context,
                           perfetto::SystemTracks &tracks) {
        dispatcher.add(std::make_unique<perfetto::MetadataModule>(context));
        dispatcher.add(std::make_unique<perfetto::TrackEventModule>(context));
        dispatcher.add(std::make_unique<perfetto::KernelModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::PowerModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::SystemStatsModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::GpuModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::RenderModule>(context, tracks));
        dispatcher.add(std::make_unique<perfetto::VulkanMemoryModule>(context, tracks));
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
            // A packet may be a bundle of thousands of events.
            if ((count & 0x3fU) == 0)
                if (auto status = source_.checkpoint(); !status)
                    return status;
        }
        if (dispatcher.packets() == 0)
            return failure("This file is no Perfetto trace: it has no packet", input_.path(),
                           "give a trace that Perfetto recorded");
        return dispatcher.finish();
    }

    // Where a snapshot tells wall time, the source's times are stated in it: source time 0 is moved, nothing else.
    void settleClock(perfetto::ClockTracker &clocks) {
        const Ns base = source_.row().statedBase;
        const auto wall = clocks.convert(clocks.traceClock(), perfetto::clock_id::kRealtime, base);
        if (!wall || !isEpochTime(*wall))
            return;
        writer_.addMetadata({source_.row().id, "trace_clock_base_ns", std::to_string(base)});
        source_.settleClock(*wall - base);
    }

    Input &input_;
    store::BulkWriter &writer_;
    TraceSource source_;
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
