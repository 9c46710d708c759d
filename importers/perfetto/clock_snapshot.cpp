#include "importers/perfetto/clock_snapshot.h"

#include "importers/perfetto/wire.h"

namespace wattproof::importers::perfetto {

std::vector<ClockTracker::Reading> readSnapshot(std::string_view snapshot, std::uint32_t sequence,
                                                std::uint32_t &primary) {
    std::vector<ClockTracker::Reading> all;
    Message message(snapshot);
    for (Field field; message.next(field);) {
        if (field.id == 2)
            primary = static_cast<std::uint32_t>(field.number);
        if (field.id != 1 || !field.isBytes())
            continue;
        ClockTracker::Reading reading;
        Message clock(field.bytes);
        for (Field own; clock.next(own);) {
            if (own.id == 1)
                reading.clock = clockKey(static_cast<std::uint32_t>(own.number), sequence);
            else if (own.id == 2)
                reading.raw = own.number;
            else if (own.id == 3)
                reading.incremental = own.truth();
            else if (own.id == 4)
                reading.unitNs = own.number;
        }
        all.push_back(reading);
    }
    return all;
}

}  // namespace wattproof::importers::perfetto
