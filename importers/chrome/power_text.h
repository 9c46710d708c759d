// Samples of a BattOr power monitor that stand as text beside the events (`powerTraceAsString`): lines of
// milliseconds, milliamperes and millivolts since its own start, some with the id of a clock mark that the trace
// has too. They become the curve of what was drawn from the battery.
#pragma once

#include "importers/trace/trace_builder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::chrome {

class PowerText {
public:
    PowerText(store::BulkWriter &writer, SourceId source, TraceBuilder &builder)
        : writer_(writer), source_(source), builder_(builder) {}

    // The text in pieces, without the escapes of JSON; an empty piece ends it.
    void take(std::string_view piece, std::uint64_t offset);
    // After the last event, before the builder finishes; `marks` are the clock marks of the trace by id.
    void finish(const std::map<std::string, Ns, std::less<>> &marks);

private:
    struct Drawn {
        Ns at = 0;  // since the monitor's start
        double watts = 0;
        std::uint64_t offset = 0;
    };
    void line(std::string_view text, std::uint64_t offset);
    void headLine(std::string_view text);
    void sampleLine(std::string_view text, std::uint64_t offset);
    [[nodiscard]] CounterId addCounter();
    [[nodiscard]] Ns shift(const std::map<std::string, Ns, std::less<>> &marks);

    store::BulkWriter &writer_;
    SourceId source_;
    TraceBuilder &builder_;
    std::string held_;  // a line whose end has not come yet
    std::vector<Drawn> samples_;
    std::map<std::string, Ns> marks_;
    std::optional<std::int64_t> rate_;  // samples a second
};

}  // namespace wattproof::importers::chrome
