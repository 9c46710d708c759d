// Values of counters: of counter events, beside other events, and of threads in the deprecated form.
#include "importers/perfetto/track_event_module.h"

namespace wattproof::importers::perfetto {

// Incremental counters count from the value before on their sequence, and from 0 after its state was cleared.
void TrackEventModule::count(const Here &here, Track &track, std::int64_t value) {
    if (track.counter && track.counter->incremental) {
        const std::uint64_t key = (std::uint64_t{here.packet->sequence->id} << 32U) | track.index;
        Total &total = totals_[key];
        if (total.generation != here.packet->state->generation)
            total = {here.packet->state->generation, 0};
        if (__builtin_add_overflow(total.value, value, &total.value))
            total.value = value;
        value = total.value;
    }
    sink_.sample(track, here.ts, static_cast<double>(value), here.packet->origin);
}

void TrackEventModule::counter(const Here &here) {
    if (event_.count)
        count(here, *here.track, *event_.count);
    else if (event_.value)
        sink_.sample(*here.track, here.ts, *event_.value, here.packet->origin);
    else
        warn(*here.packet, "missing_field", "Counter events without a value were left out.");
}

void TrackEventModule::extraCounters(const Here &here) {
    const PacketDefaults &defaults = here.packet->state->defaults;
    const auto &counters = event_.ownCounters ? event_.counters : defaults.counters;
    const auto &doubles = event_.ownDoubleCounters ? event_.doubleCounters : defaults.doubleCounters;
    for (std::size_t i = 0; i < event_.counts.size() && i < counters.size(); ++i)
        count(here, tracks_.track(counters[i]), event_.counts[i]);
    for (std::size_t i = 0; i < event_.values.size() && i < doubles.size(); ++i)
        sink_.sample(tracks_.track(doubles[i]), here.ts, event_.values[i], here.packet->origin);
    if (event_.counts.size() > counters.size() || event_.values.size() > doubles.size())
        warn(*here.packet, "missing_field", "Values of counters that no event or default names were left out.");
}

void TrackEventModule::threadCounter(const Here &here, const char *name, const char *unit, double value) {
    scratch_ = std::to_string(here.thread->row.id.value) + name;
    CounterId &counter = threadCounters_[scratch_];
    if (!counter.valid()) {
        TrackRow row;
        row.source = context_.source;
        row.kind = TrackKind::Counter;
        row.name = name;
        row.process = here.thread->process->row.id;
        row.thread = here.thread->row.id;
        CounterRow own;
        own.source = context_.source;
        own.name = name;
        own.unit = unit;
        own.track = context_.writer.addTrack(row);
        counter = context_.writer.addCounter(own);
    }
    context_.builder.sample(counter, here.ts, value, here.packet->origin);
}

void TrackEventModule::threadCounters(const Here &here) {
    if (!here.thread)
        return;
    Sequence &sequence = *here.packet->sequence;
    const auto running = [](std::int64_t &total, const std::optional<std::int64_t> &delta,
                            const std::optional<std::int64_t> &absolute) -> std::optional<std::int64_t> {
        if (absolute)
            return absolute;
        if (!delta || __builtin_add_overflow(total, *delta, &total))
            return std::nullopt;
        return total;
    };
    if (const auto us = running(sequence.threadTimeUs, event_.threadDeltaUs, event_.threadAbsoluteUs))
        threadCounter(here, "thread_time", "ns", static_cast<double>(*us) * 1000.0);
    if (const auto done = running(sequence.instructions, event_.instructionsDelta, event_.instructionsAbsolute))
        threadCounter(here, "thread_instruction_count", "1", static_cast<double>(*done));
}

}  // namespace wattproof::importers::perfetto
