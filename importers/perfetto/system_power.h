// Power of the machine: rails with energy counters, the battery, the energy that Android's model gives to
// consumers, and how long parts were in which state. Energies in J, powers in W, of devices by what a rail or
// consumer feeds. Messages: protos/perfetto/trace/power/*.proto
#pragma once

#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/system_tracks.h"

#include <map>
#include <string>
#include <vector>

namespace wattproof::importers::perfetto {

class PowerModule final : public PacketModule {
public:
    PowerModule(ImportContext &context, SystemTracks &tracks) : context_(context), tracks_(tracks) {}

    [[nodiscard]] std::vector<std::uint32_t> fields() const override;
    [[nodiscard]] Taken take(const Packet &, const Field &) override;
    [[nodiscard]] Status finish() override;

private:
    struct Rail {
        std::string name, subsystem;
    };
    struct Consumer {
        std::string type, name;
        std::int64_t ordinal = 0;
    };
    // Ids are given by each writer on each machine.
    using Scope = std::pair<std::uint32_t, std::uint32_t>;
    using Id = std::pair<Scope, std::int64_t>;

    [[nodiscard]] static Scope scopeOf(const Packet &packet) { return {packet.machine, packet.sequence->id}; }

    [[nodiscard]] Taken rails(const Packet &, std::string_view);
    void railDescriptor(const Packet &, std::string_view);
    [[nodiscard]] std::optional<Ns> railTime(const Packet &, std::string_view sample) const;
    void railSample(const Packet &, std::string_view);
    [[nodiscard]] CounterId railCounter(std::uint32_t machine, const Rail &);
    void battery(const Packet &, std::string_view);
    void batterySample(const Packet &, std::string_view what, std::string_view quantity, std::string_view unit,
                       double value);
    void breakdown(const Packet &, std::string_view);
    void consumer(const Packet &, std::string_view);
    [[nodiscard]] CounterId consumerCounter(std::uint32_t machine, const Consumer &);
    void residency(const Packet &, std::string_view);
    [[nodiscard]] DeviceId partDevice(std::uint32_t machine, std::string_view subsystem);

    ImportContext &context_;
    SystemTracks &tracks_;
    std::map<Id, Rail> rails_;
    std::map<Id, Consumer> consumers_;
    std::map<std::pair<Id, std::int64_t>, std::pair<std::string, std::string>> states_;  // entity and state names
    std::vector<CounterRow> modelled_;                                                   // consumers' counters
    bool measured_ = false;                                                              // any rail has a reading
};

}  // namespace wattproof::importers::perfetto
