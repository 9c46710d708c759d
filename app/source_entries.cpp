#include "app/source_entries.h"

#include "importers/session.h"

#include <map>
#include <string_view>

namespace wattproof::app {
namespace {

constexpr std::string_view kWholeRange = "0..";

struct Counts {
    std::int64_t slices = 0, samples = 0, warnings = 0;
    RequestCounts requests;
};

Expected<std::map<SourceId, Counts>> countBySource(store::Reader &reader) {
    auto tracks = reader.tracks();
    if (!tracks)
        return passOn(tracks);
    auto counters = reader.counters();
    if (!counters)
        return passOn(counters);
    auto warnings = reader.warnings();
    if (!warnings)
        return passOn(warnings);
    auto requests = reader.requestCounts();
    if (!requests)
        return passOn(requests);
    std::map<SourceId, Counts> counts;
    for (const auto &[source, count] : *requests)
        counts[source].requests = count;
    for (const TrackRow &track : *tracks)
        counts[track.source].slices += track.sliceCount;
    for (const CounterRow &counter : *counters)
        counts[counter.source].samples += counter.sampleCount;
    for (const WarningRow &warning : *warnings)
        ++counts[warning.source].warnings;
    return counts;
}

}  // namespace

Expected<std::vector<widgets::SourceEntry>> sourceEntries(store::Reader &reader) {
    auto sources = reader.sources();
    if (!sources)
        return passOn(sources);
    auto counts = countBySource(reader);
    if (!counts)
        return passOn(counts);
    std::vector<widgets::SourceEntry> entries;
    for (SourceRow &source : *sources) {
        auto extent = reader.extent(source.id);
        if (!extent)
            return passOn(extent);
        auto options = importers::optionsOf(reader, source.id);
        if (!options)
            return passOn(options);
        const importers::Selection &part = options->part;
        const Counts &count = (*counts)[source.id];
        entries.push_back({std::move(source), count.slices, count.samples, count.warnings, *extent,
                           {part.range ? importers::textOf(*part.range) : std::string(),
                            importers::textOf(part.categories)}, count.requests});
    }
    return entries;
}

Expected<importers::Selection> partFromText(const std::string &range, const std::string &categories) {
    importers::Selection part;
    part.categories = importers::categoriesFromText(categories);
    if (range.find_first_not_of(" \t") == std::string::npos)
        return part;
    auto asked = importers::rangeFromText(range);
    if (!asked)
        return passOn(asked);
    // "..": from the beginning to the end.
    if (importers::textOf(*asked) != kWholeRange)
        part.range = *asked;
    return part;
}

Expected<Origin> originOf(const store::Workspace &workspace, const std::string &idOrPath, const std::string &file) {
    auto reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    auto row = importers::findSource(**reader, idOrPath);
    if (!row)
        return passOn(row);
    auto options = importers::optionsOf(**reader, row->id);
    if (!options)
        return passOn(options);
    auto found = file.empty() ? importers::fileOf(workspace, *row) : Expected<std::string>(file);
    if (!found)
        return passOn(found);
    return Origin{std::move(*row), std::move(*options), std::move(*found)};
}

}  // namespace wattproof::app
