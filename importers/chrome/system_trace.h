// Kernel events that stand as text beside the events (`systemTraceEvents`): handed to the reader of such text,
// whose threads are those of the events where the ids agree.
#pragma once

#include "importers/chrome/places.h"
#include "importers/ftrace/text_reader.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace wattproof::importers::chrome {

class SystemTrace {
public:
    SystemTrace(store::BulkWriter &writer, SourceId source, TraceBuilder &builder)
        : writer_(writer), source_(source), builder_(builder) {}

    // The text in pieces, without the escapes of JSON; an empty piece ends it.
    void take(std::string_view piece, std::uint64_t offset);
    [[nodiscard]] std::int64_t events() const { return reader_ ? reader_->events() : 0; }
    // After the names of threads are known, before the builder finishes.
    [[nodiscard]] Status finish(Places &, const Task &);

private:
    store::BulkWriter &writer_;
    SourceId source_;
    TraceBuilder &builder_;
    std::optional<ftrace::TextReader> reader_;
};

}  // namespace wattproof::importers::chrome
