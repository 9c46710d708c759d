// ftrace text, line by line: files of their own, blocks in HTML pages, strings within Chrome JSON. Everything goes
// to the trace builder at finish(), which the caller calls before TraceBuilder::finish().
#pragma once

#include "importers/ftrace/kernel_trace.h"
#include "importers/ftrace/text_line.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wattproof::importers::ftrace {

class TextReader {
public:
    TextReader(store::BulkWriter &, SourceId, TraceBuilder &, std::size_t memoryBudget = std::size_t{256} << 20U);

    // True when text that begins so is ftrace text: a header of the tracer, or a line that can be read.
    [[nodiscard]] static bool looksLike(std::string_view head);

    // Text in pieces cut anywhere; `offset` is the place of the piece's first byte in the file, for warnings. A
    // new piece that does not follow the last one (another string of the file) is announced by endText().
    void take(std::string_view text, std::uint64_t offset);
    void endText();
    // Whether the text so far ends inside a line.
    [[nodiscard]] bool insideLine() const { return tooLong_ || !held_.empty(); }

    // Processes and threads that the rest of the file has made are handed over here first: Threads::adopt().
    [[nodiscard]] Threads &threads() { return kernel_.threads(); }

    // What the recorder wrote about its clock, as an amount to add to the times of these events: to get those of
    // the program that asked for the trace (Chrome's own clock), or those since 1970.
    [[nodiscard]] std::optional<Ns> toParentClock() const { return toParent_; }
    [[nodiscard]] std::optional<Ns> toRealtime() const { return toRealtime_; }
    // Adds to the times of all events, also those taken already.
    void shiftTimes(Ns shift) { kernel_.setShift(shift); }

    [[nodiscard]] std::int64_t events() const { return kernel_.events(); }
    [[nodiscard]] Status finish(const Task &task);

private:
    void line(std::string_view text, std::uint64_t offset);
    void noteClock(const FtraceEvent &);
    [[nodiscard]] bool processRow(std::string_view text, std::uint64_t offset);

    TraceBuilder &builder_;
    Tracks tracks_;
    KernelTrace kernel_;
    LineParser parser_;
    FtraceEvent event_;
    std::string held_;  // a line that is not whole yet
    std::uint64_t heldAt_ = 0;
    bool tooLong_ = false;
    std::optional<Ns> toParent_, toRealtime_;
    bool inProcessList_ = false;
};

}  // namespace wattproof::importers::ftrace
