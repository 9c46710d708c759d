#include "app/json_documents.h"

#include <nlohmann/json.hpp>

#include "report/report.h"
#include "store/version.h"

namespace wattproof::app {
namespace {

using nlohmann::json;

json warningsJson(const std::vector<WarningRow> &rows) {
    json warnings = json::array();
    for (const WarningRow &w : rows)
        warnings.push_back({{"kind", w.kind}, {"count", w.count}, {"first_position", w.firstPosition}, {"message", w.message}});
    return warnings;
}

json countsJson(const RequestCounts &counts) {
    return {{"requests", counts.requests}, {"failed_requests", counts.failed}, {"untimed_requests", counts.untimed},
            {"quality_metrics", counts.metrics}};
}

json fileJson(const importers::Summary &f) {
    json file{{"source_id", f.source.value}, {"path", f.path},       {"format", f.format},   {"bytes", f.bytes},
            {"events", f.events},          {"slices", f.slices},   {"instants", f.instants}, {"counters", f.counters},
            {"samples", f.samples},        {"flows", f.flows},     {"gpu_ops", f.gpuOps},  {"links", f.links},
            {"seconds", f.seconds},        {"warnings", warningsJson(f.warnings)}};
    file.update(countsJson(f.requests));
    return file;
}

json scoreJson(const std::optional<analysis::AlignmentScore> &score) {
    if (!score)
        return nullptr;
    return {{"offset_ns", score->offset}, {"correlation", score->correlation}};
}

json clockJson(const std::optional<analysis::ClockFit> &clock) {
    if (!clock)
        return nullptr;
    return {{"ppm", clock->ppm}, {"standard_error_ppm", clock->ppmSigma}, {"stretches", clock->stretches},
            {"length_ns", clock->length}};
}

json sourceJson(const SourceRow &s) {
    return {{"id", s.id.value},         {"kind", word(s.kind)},   {"path", s.path},
            {"format", s.format},       {"size_bytes", s.sizeBytes}, {"sha256", s.sha256},
            {"clock", word(s.clock)},   {"zone", s.zone},         {"imported_at", s.importedAt},
            {"tool_version", s.toolVersion}, {"offset_ns", s.map.offset}, {"drift_ppb", s.map.driftPpb},
            {"simulated", s.simulated}};
}

json textOrNull(const std::string &text) {
    return text.empty() ? json() : json(text);
}

}  // namespace

json alignmentJson(const std::vector<analysis::SourceAlignment> &alignments) {
    json list = json::array();
    for (const analysis::SourceAlignment &a : alignments) {
        json entry{{"source_id", a.source.value}, {"refused", nullptr},
                   {"searched_ns", {a.proposal.searched.begin, a.proposal.searched.end}},
                   {"peak", scoreJson(a.proposal.peak)}, {"second_peak", scoreJson(a.proposal.secondPeak)},
                   {"edges", a.proposal.edges}, {"drift", clockJson(a.proposal.clock)},
                   {"zone_guess", a.proposal.zone ? json(*a.proposal.zone) : json()}};
        if (a.proposal.alignment) {
            const store::Alignment &found = *a.proposal.alignment;
            entry.update({{"offset_ns", found.offset}, {"uncertainty_ns", found.uncertainty}, {"drift_ppb", found.driftPpb},
                          {"anchor_ns", found.anchor}, {"confidence_p", found.confidence}, {"method", found.method}, {"note", found.note}});
        } else {
            entry["refused"] = a.proposal.refusal;
        }
        list.push_back(std::move(entry));
    }
    return list;
}

json importJson(const importers::SessionSummary &summary, const std::vector<analysis::SourceAlignment> &alignments,
                const std::string &output) {
    json files = json::array();
    for (const importers::Summary &f : summary.files)
        files.push_back(fileJson(f));
    return {{"schema_version", kDocumentVersion}, {"tool_version", toolVersion()}, {"workspace", output},
            {"seconds", summary.seconds}, {"files", files}, {"notes", summary.notes},
            {"alignment", alignmentJson(alignments)}};
}

Expected<json> infoJson(store::Reader &reader, const std::string &path) {
    auto sources = reader.sources();
    auto tracks = reader.tracks();
    auto counters = reader.counters();
    auto devices = reader.devices();
    auto warnings = reader.warnings();
    auto extent = reader.extent();
    if (!sources)
        return passOn(sources);
    if (!tracks)
        return passOn(tracks);
    if (!counters)
        return passOn(counters);
    if (!devices)
        return passOn(devices);
    if (!warnings)
        return passOn(warnings);
    if (!extent)
        return passOn(extent);
    auto main = reader.mainPart();
    if (!main)
        return passOn(main);
    auto counts = reader.requestCounts();
    if (!counts)
        return passOn(counts);
    json document{{"schema_version", kDocumentVersion}, {"workspace", path}, {"origin_ns", reader.origin()},
                  {"extent_ns", {extent->begin, extent->end}},
                  {"main_ns", {main->range.begin, main->range.end}},
                  {"events_outside_main", main->before + main->after},
                  {"tracks", tracks->size()}, {"sources", json::array()},
                  {"devices", json::array()}, {"counters", json::array()}, {"warnings", warningsJson(*warnings)}};
    std::int64_t slices = 0;
    for (const TrackRow &track : *tracks)
        slices += track.sliceCount;
    document["slices"] = slices;
    RequestCounts total;
    for (const SourceRow &s : *sources) {
        json source = sourceJson(s);
        source.update(countsJson((*counts)[s.id]));
        total += (*counts)[s.id];
        document["sources"].push_back(std::move(source));
    }
    document.update(countsJson(total));
    for (const DeviceRow &d : *devices)
        document["devices"].push_back({{"id", d.id.value}, {"kind", word(d.kind)}, {"name", d.name}, {"model", d.model}});
    for (const CounterRow &c : *counters)
        document["counters"].push_back({{"id", c.id.value}, {"name", c.name}, {"unit", c.unit}, {"kind", word(c.kind)},
                                        {"quantity", c.quantity}, {"domain", c.domain}, {"samples", c.sampleCount}});
    return document;
}

json sourcesJson(const std::vector<widgets::SourceEntry> &entries, const std::string &path) {
    json sources = json::array();
    for (const widgets::SourceEntry &entry : entries) {
        json source = sourceJson(entry.row);
        source.update({{"slices", entry.slices},
                       {"samples", entry.samples},
                       {"warnings", entry.warnings},
                       {"extent_ns", {entry.extent.begin, entry.extent.end}},
                       {"part", {{"range", textOrNull(entry.part.range)},
                                 {"categories", textOrNull(entry.part.categories)}}}});
        source.update(countsJson(entry.requests));
        sources.push_back(std::move(source));
    }
    return {{"schema_version", kDocumentVersion}, {"workspace", path}, {"sources", sources}};
}

std::string countsText(const RequestCounts &counts) {
    if (counts.requests + counts.metrics == 0)
        return {};
    return std::to_string(counts.requests) + " requests (" + std::to_string(counts.failed) + " failed, " +
           std::to_string(counts.untimed) + " without times), " + std::to_string(counts.metrics) + " quality metrics";
}

std::string alignmentText(const analysis::SourceAlignment &a) {
    if (!a.proposal.alignment)
        return "not aligned: " + a.proposal.refusal;
    const store::Alignment &found = *a.proposal.alignment;
    return "offset " + report::duration(found.offset) + " ± " + report::duration(found.uncertainty) + " by " + found.method +
           ", confidence " + report::percent(found.confidence) + (found.note.empty() ? "" : " (" + found.note + ")");
}

}  // namespace wattproof::app
