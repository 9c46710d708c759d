// Arguments of track events: debug annotations of any depth, source locations, log messages and the like, as one
// JSON array of keys and one of values (store/bulk_writer.h).
#pragma once

#include "importers/perfetto/debug_values.h"
#include "importers/perfetto/sequence.h"
#include "importers/perfetto/track_event.h"
#include "store/bulk_writer.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace wattproof::importers::perfetto {

class AnnotationWriter {
public:
    explicit AnnotationWriter(store::BulkWriter &writer) : writer_(writer) {}

    // Afterwards keys() and values() hold the event's arguments as JSON arrays without their closing bracket;
    // empty when it has none.
    void read(const TrackEvent &, const Interned &);
    void clear() { keys_.clear(), values_.clear(); }
    void add(std::string_view key, std::string_view text);
    [[nodiscard]] const std::string &keys() const { return keys_; }
    [[nodiscard]] const std::string &values() const { return values_; }
    [[nodiscard]] const DebugValues::Damage &damage() const { return debug_.damage(); }

    // None where there are none.
    [[nodiscard]] ArgSetId write() { return write(keys_, values_); }
    // The arguments of a begin and of its end as one tree: objects are joined, lists put one after the other, of
    // other values the later one holds.
    [[nodiscard]] ArgSetId writeMerged(std::string_view earlierKeys, std::string_view earlierValues);

private:
    void argument(const Field &, const Interned &);
    void openMember(std::string_view key);
    void location(std::string &out, const SourceLocation &);
    void locationOf(std::string &out, std::uint64_t iid, const Interned &);
    void inlineLocation(std::string_view bytes);
    void taskExecution(std::string_view bytes, const Interned &);
    void logMessage(std::string_view bytes, const Interned &);
    void callstack(std::string_view bytes);
    [[nodiscard]] ArgSetId write(std::string_view keys, std::string_view values);

    store::BulkWriter &writer_;
    std::string keys_, values_, shape_, list_;
    std::unordered_map<std::string, std::int64_t> shapes_;
    DebugValues debug_;
};

}  // namespace wattproof::importers::perfetto
