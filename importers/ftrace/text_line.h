// One line of ftrace text, as the kernel, systrace, atrace and trace-cmd print it:
//   comm-pid (tgid) [cpu] flags seconds.fraction: event: fields
// tgid and flags may be absent.
#pragma once

#include "importers/ftrace/event.h"

#include <deque>
#include <string>
#include <string_view>

namespace wattproof::importers::ftrace {

class LineParser {
public:
    // False when the line is no event. Views of the event point into the line and into this parser.
    [[nodiscard]] bool parse(std::string_view line, FtraceEvent &event);

private:
    bool parseTask(std::string_view left, FtraceEvent &event);
    bool parseEvent(std::string_view right, FtraceEvent &event);
    void parseFields(std::string_view name, std::string_view rest, FtraceEvent &event);
    void addPairs(std::string_view rest, FtraceEvent &event);
    void addPair(std::string_view key, std::string_view value, FtraceEvent &event);
    bool addUnkeyed(std::string_view name, std::string_view rest, FtraceEvent &event);
    bool addBriefSwitch(std::string_view rest, FtraceEvent &event);
    bool addBriefWakeup(std::string_view rest, FtraceEvent &event);
    void addBlock(std::string_view rest, FtraceEvent &event);
};

}  // namespace wattproof::importers::ftrace
