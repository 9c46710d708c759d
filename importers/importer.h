// What every importer is: a probe that reads the first bytes, and an import that streams the rest into the writer.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "importers/device_match.h"
#include "importers/input/input.h"
#include "importers/part/selection.h"
#include "store/bulk_writer.h"
#include "store/import_plan.h"
#include "store/result.h"
#include "store/task.h"

namespace wattproof::importers {

// What a user sets where the file cannot say it itself. All optional.
struct Options {
    std::string format;                    // force an importer or a descriptor by name ("nvidia-smi-csv", "csv")
    std::string timezone;                  // for wall times without zone: "UTC", "+02:00", "Europe/Berlin"
    std::string descriptorJson;            // column mapping of a table (docs/formats.md), overrides the shipped ones
    std::optional<double> maxGapSeconds;   // replaces 5 median periods as the limit for bridging
    std::optional<double> periodSeconds;   // between the rows of a log that states no times
    Selection part;                        // of every trace; logs are kept whole
    FileChoices files;                     // what is set of single files: it goes before format, timezone, descriptorJson
    bool isFirm = false;                   // set by a session: the format is of this very file, whatever it looks like
    std::vector<KnownDevice> known;        // set by a session, not by a user: devices that other sources described
};

// The options of one file of several.
[[nodiscard]] Options optionsOf(const Options &, const std::string &path);

// What one file became. Counts are what the summary prints and tests compare.
struct Summary {
    SourceId source;
    std::string path, format;
    std::uint64_t bytes = 0;               // decompressed
    std::int64_t events = 0;               // records met in the file
    std::int64_t slices = 0, instants = 0, counters = 0, samples = 0, flows = 0, gpuOps = 0, links = 0;
    RequestCounts requests;
    double seconds = 0;
    std::vector<WarningRow> warnings;
};

class Importer {
public:
    virtual ~Importer() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual SourceKind kind() const { return SourceKind::Trace; }
    // Whether Options::format may mean this importer, and the formats it reads as an error lists them.
    [[nodiscard]] virtual bool reads(std::string_view format) const { return format == name(); }
    [[nodiscard]] virtual std::vector<std::string> formats() const { return {std::string(name())}; }
    // 0 = not this one … 1 = certain. Must be fast and must not throw on any bytes.
    [[nodiscard]] virtual double probe(std::span<const char> head, std::string_view fileName) const = 0;
    // Writes one source into the writer: addSource … finishSource. On an error nothing of the source becomes visible.
    [[nodiscard]] virtual Expected<Summary> import(Input &, store::BulkWriter &, const Options &, const Task &) const = 0;
};

// All importers of this build; the list is in registry.cpp.
[[nodiscard]] const std::vector<std::unique_ptr<Importer>> &registry();

// The importer whose probe is surest, or an error that names the formats that can be read.
[[nodiscard]] Expected<const Importer *> recognise(Input &, const Options &);

}  // namespace wattproof::importers
