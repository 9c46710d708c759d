// From the texts of an event to what the builder takes: interned names, argument sets, warnings. Every text that
// goes by is a clue to who wrote the trace.
#pragma once

#include "importers/chrome/arguments.h"
#include "importers/chrome/dialects/recogniser.h"
#include "importers/trace/trace_builder.h"

#include <string>
#include <string_view>

namespace wattproof::importers::chrome {

class Scribe {
public:
    Scribe(store::BulkWriter &writer, TraceBuilder &builder, Recogniser &recogniser)
        : writer_(writer), builder_(builder), recogniser_(recogniser), arguments_(writer) {}

    [[nodiscard]] TraceBuilder &builder() { return builder_; }
    [[nodiscard]] Arguments &arguments() { return arguments_; }
    [[nodiscard]] const Dialect &dialect() const { return recogniser_.current(); }

    [[nodiscard]] StringId category(const Event &);
    [[nodiscard]] StringId name(const Event &);
    [[nodiscard]] std::string_view nameText(const Event &);  // valid until the next call
    // Without track; `bare` also without arguments.
    [[nodiscard]] RawEvent bare(const Event &, Ns ts);
    [[nodiscard]] RawEvent whole(const Event &, Ns ts);

    void warn(const Event &event, std::string_view kind, std::string_view message) {
        builder_.warn(kind, message, {event.offset});
    }

private:
    store::BulkWriter &writer_;
    TraceBuilder &builder_;
    Recogniser &recogniser_;
    Arguments arguments_;
    std::string scratch_, nameText_;
};

}  // namespace wattproof::importers::chrome
