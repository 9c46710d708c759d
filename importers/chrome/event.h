// One trace event as views into the buffer it was read from.
#pragma once

#include "importers/chrome/json_text.h"

#include <vector>

namespace wattproof::importers::chrome {

struct Member {
    RawValue key, value;
};

struct Event {
    std::uint64_t offset = 0;  // in the decompressed file
    char phase = 0;            // 0: it has none
    bool empty = false;        // {}
    RawValue name, category, ts, dur, pid, tid, id, id2, scope, bindingPoint, bindId, flowIn, flowOut, args;
    // The members of args; then those of the event that have no meaning here but are kept as arguments.
    std::vector<Member> arguments;
    std::vector<Member> unplaced;  // the latter alone
    std::size_t ownArguments = 0;  // how many of them are members of args
    bool argumentsAsOne = false;   // args has too many members to list

    [[nodiscard]] const RawValue *argument(std::string_view key) const;
    void clear();
};

// Reads the object at the scanner's place, which must be its '{'. Nothing of the event is valid unless Ok.
[[nodiscard]] Scan readEvent(Scanner &, Event &);

}  // namespace wattproof::importers::chrome
