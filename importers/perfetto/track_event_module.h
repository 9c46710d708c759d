// Track events and the descriptors of their tracks: slices, instants, counters, states, flows, and the events of
// old instrumentation that bear a phase of the Chrome format instead of a type.
#pragma once

#include "importers/perfetto/annotation_writer.h"
#include "importers/perfetto/event_sink.h"
#include "importers/perfetto/gpu_calls.h"
#include "importers/perfetto/open_arguments.h"
#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/track_event.h"
#include "importers/perfetto/track_layout.h"
#include "importers/perfetto/track_table.h"

#include <string>
#include <unordered_map>

namespace wattproof::importers::perfetto {

class TrackEventModule final : public PacketModule {
public:
    explicit TrackEventModule(ImportContext &);

    [[nodiscard]] std::vector<std::uint32_t> fields() const override;
    [[nodiscard]] Taken take(const Packet &, const Field &) override;
    [[nodiscard]] Status finish() override;

private:
    // The event at hand, resolved.
    struct Here {
        const Packet *packet = nullptr;
        Track *track = nullptr;
        Thread *thread = nullptr;  // whose event it is, where that is known
        Ns ts = 0;
        StringId name, category;
        std::string_view nameText;
    };

    [[nodiscard]] Taken takeEvent(const Packet &, std::string_view bytes);
    // False when the event cannot be placed in time; a warning says why. Sets `wait` when a clock is missing.
    [[nodiscard]] bool readTime(const Packet &, Ns &ts, bool &wait);
    [[nodiscard]] std::optional<Ns> oldTime(const Packet &, std::int64_t us, bool &wait);
    void resolve(const Packet &, Ns ts, Here &);
    void resolveTrack(const Packet &, Here &);
    void resolveOverride(Here &);
    void resolveName(const Packet &, Here &);
    [[nodiscard]] StringId categoryOf(const Packet &);

    void typed(const Here &);
    void begin(const Here &);
    void end(const Here &);
    void instant(const Here &);
    void state(const Here &);
    void flows(const Here &, StringId name);
    [[nodiscard]] RawEvent raw(const Here &, ArgSetId args) const;
    [[nodiscard]] ArgSetId writeArguments(const Here &);
    void readArguments(const Here &);

    void counter(const Here &);
    void extraCounters(const Here &);
    void threadCounters(const Here &);
    void threadCounter(const Here &, const char *name, const char *unit, double value);
    void count(const Here &, Track &, std::int64_t value);

    void legacy(const Here &);
    void legacyComplete(const Here &);
    void legacyInstant(const Here &);
    void legacyAsync(const Here &);
    void legacyFlow(const Here &, FlowPhase);
    void legacyBind(const Here &);
    [[nodiscard]] std::uint64_t legacyId(const Here &) const;
    [[nodiscard]] static std::uint64_t named(std::uint64_t id, StringId name);
    [[nodiscard]] AsyncKey openAsync(const Here &);
    [[nodiscard]] AsyncKey closeAsync(const Here &);
    [[nodiscard]] TrackId asyncTrack(const Here &);

    void warn(const Packet &, std::string_view kind, std::string_view message, std::uint32_t count = 1);

    ImportContext &context_;
    FieldCensus::Message &unknown_;
    TrackTable tracks_;
    EventSink sink_;
    GpuCalls gpuCalls_;
    AnnotationWriter annotations_;
    ArgumentJoiner joiner_;
    TrackEvent event_;
    std::string scratch_, nameScratch_, categoryScratch_;
    // Running totals of incremental counters, by sequence, its generation and track.
    struct Total {
        std::uint64_t generation = 0;
        std::int64_t value = 0;
    };
    std::unordered_map<std::uint64_t, Total> totals_;
    std::unordered_map<std::string, TrackId> asyncTracks_;
    std::unordered_map<std::string, CounterId> threadCounters_;
    std::unordered_map<std::uint64_t, std::unique_ptr<OpenArguments>> asyncArguments_;
    // Old asynchronous events that are open, by id without name: an end may leave the name out.
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> asyncOpen_;
};

}  // namespace wattproof::importers::perfetto
