// The rows of a table that holds a trace, one after the other, with progress and cancelling.
#pragma once

#include "importers/table/table_reader.h"
#include "importers/trace/trace_source.h"

namespace wattproof::importers {

template <class Take>
[[nodiscard]] Status readTableRows(TableReader &reader, TraceSource &source, const Take &take) {
    constexpr std::int64_t kRowsPerCheck = 4096;
    TableRow row;
    for (std::int64_t count = 0;; ++count) {
        if (count % kRowsPerCheck == 0)
            if (Status status = source.checkpoint(); !status)
                return status;
        Expected<bool> more = reader.next(row);
        if (!more)
            return passOn(more);
        if (!*more)
            return {};
        take(row);
    }
}

// What the input and the reader left out, once all rows are read.
inline void warnOfLostRows(const Input &input, const TableReader &reader, TraceBuilder &builder) {
    if (!input.damage().empty())
        builder.warn("truncated_input", input.damage(), {input.position()});
    if (reader.longLines() > 0)
        builder.warn("malformed_row", "lines above 1 MiB are no rows of a table; they were skipped",
                     {reader.firstLongLine()}, static_cast<std::int64_t>(reader.longLines()));
}

}  // namespace wattproof::importers
