// Reads InternedData and TracePacketDefaults into the state of a sequence.
#pragma once

#include "importers/perfetto/sequence.h"
#include "store/bulk_writer.h"

#include <unordered_set>

namespace wattproof::importers::perfetto {

// The message SourceLocation, interned or inside an event.
[[nodiscard]] SourceLocation readSourceLocation(std::string_view);

class InternReader {
public:
    explicit InternReader(store::BulkWriter &writer) : writer_(writer) {}

    // Fields whose messages are kept for Interned::message.
    void keep(std::uint32_t field) { kept_.insert(field); }

    void read(std::string_view internedData, Interned &) const;
    [[nodiscard]] static PacketDefaults readDefaults(std::string_view packetDefaults);

private:
    [[nodiscard]] InternedName nameOf(std::string_view text) const;
    void entry(const Field &, Interned &) const;

    store::BulkWriter &writer_;
    std::unordered_set<std::uint32_t> kept_;
};

}  // namespace wattproof::importers::perfetto
