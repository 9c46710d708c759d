#include <nlohmann/json.hpp>

#include "report/report.h"

namespace wattproof::report {
namespace {

using nlohmann::json;

json headerJson(const Report &report) {
    json fields = json::array();
    for (const HeaderField &field : report.header) {
        const json value = field.value.empty() ? json(nullptr) : json(field.value);
        fields.push_back({{"key", field.key}, {"value", value}, {"origin", field.origin}});
    }
    return fields;
}

json sourcesJson(const Report &report) {
    json sources = json::array();
    for (const SourceRow &s : report.sources)
        sources.push_back({{"id", s.id.value},
                           {"path", s.path},
                           {"kind", word(s.kind)},
                           {"format", s.format},
                           {"size_bytes", s.sizeBytes},
                           {"sha256", s.sha256},
                           {"imported_at", s.importedAt},
                           {"tool_version", s.toolVersion},
                           {"clock", word(s.clock)},
                           {"zone", s.zone},
                           {"offset_ns", s.map.offset},
                           {"drift_ppb", s.map.driftPpb},
                           {"simulated", s.simulated}});
    return sources;
}

json planJson(const Report &report) {
    json plan = json::array();
    for (const analysis::Finding &f : report.analysis.findings) {
        if (f.intervention.empty())
            continue;
        plan.push_back({{"finding", f.key},
                        {"intervention", f.intervention},
                        {"guardrails", f.guardrails},
                        {"owner", f.owner ? json(*f.owner) : json(nullptr)},
                        {"rollback", f.rollback ? json(*f.rollback) : json(nullptr)},
                        {"rollback_boundary", f.rollbackBoundary}});
    }
    return plan;
}

json annotationsJson(const Report &report) {
    json annotations = json::array();
    for (const store::Annotation &a : report.annotations)
        annotations.push_back({{"ts_ns", a.ts},
                               {"dur_ns", a.dur},
                               {"text", a.text},
                               {"author", a.author},
                               {"created_at", a.createdAt},
                               {"finding", a.findingKey}});
    return annotations;
}

}  // namespace

std::string toJson(const Report &report) {
    json document = analysis::toJson(report.analysis);
    document["report"] = {{"created_at", report.createdAt}, {"simulated", report.simulated}};
    document["header"] = headerJson(report);
    document["sources"] = sourcesJson(report);
    document["plan"] = planJson(report);
    document["annotations"] = annotationsJson(report);
    json decisions = json::array();
    for (const store::FindingDecision &d : report.decisions)
        decisions.push_back({{"finding", d.findingKey}, {"owner", d.owner}, {"rollback", d.rollback},
                             {"status", d.status}, {"reason", d.reason}});
    document["decisions"] = decisions;
    json importWarnings = json::array();
    for (const WarningRow &w : report.warnings)
        importWarnings.push_back({{"source_id", w.source.value}, {"kind", w.kind}, {"count", w.count},
                                  {"first_position", w.firstPosition}, {"message", w.message}});
    document["import_warnings"] = importWarnings;
    if (report.baseline)
        document["baseline"] = analysis::toJson(*report.baseline);
    return document.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace wattproof::report
