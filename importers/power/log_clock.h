// The clock of one log: from the text of a row's time cell to stated nanoseconds, in one basis for the whole file.
#pragma once

#include "importers/time/stamp.h"
#include "importers/time/zone.h"
#include "store/rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wattproof::importers {

class LogClock {
public:
    // numericUnit: what the header says of the unit ("time_ns"), used where the cell is a plain number.
    LogClock(StampUnit unit, StampUnit numericUnit, TimeZone zone, bool zoneGiven);

    // None when the cell is no time, or one of another basis than the rows before it.
    [[nodiscard]] std::optional<Ns> read(std::string_view cell);

    // Of a log without times; none when it had some before.
    [[nodiscard]] std::optional<Ns> relative(Ns);

    [[nodiscard]] ClockBasis basis() const;
    // For SourceRow::zone: the zone's name and why it was taken; empty where none was needed.
    [[nodiscard]] std::string zoneText() const;

private:
    [[nodiscard]] Ns inZone(Ns local) const;

    StampUnit unit_, numericUnit_;
    TimeZone zone_;
    bool zoneGiven_;
    std::optional<StampBasis> basis_;
    std::optional<Ns> latest_;
    Ns midnight_ = 0;  // of the current day, for times of day
};

// One device's rows in order. A log's clock is a label: where it steps back (summer time ends, a server sets it),
// the rows that follow keep their rhythm and are placed after the ones before.
class StepGuard {
public:
    enum class Order : std::uint8_t { Later, Same, Disordered, SteppedBack };
    struct Track {
        std::optional<Ns> last;
        Ns period = 0;
    };
    struct Placed {
        Ns ts = 0;
        Order order = Order::Later;
        Ns step = 0;   // how far the clock stepped back
        Ns ahead = 0;  // of the row before, where it is later
    };
    // None where the steps so far have moved the time beyond 64 bits of nanoseconds.
    [[nodiscard]] std::optional<Placed> place(Track &track, Ns stated);

private:
    Ns shift_ = 0;
};

}  // namespace wattproof::importers
