#include "report/html/sections.h"

namespace wattproof::report {
namespace {

Markup figure(const std::string &value, std::string_view label) {
    return element("div", raw(element("div", text(value), "figure").html + element("div", text(label), "label").html));
}

std::string joined(const std::vector<std::string> &parts) {
    std::string result;
    for (const std::string &part : parts)
        result += (result.empty() ? "" : ", ") + part;
    return result;
}

std::string headlineValue(const analysis::Headline &h) {
    if (h.value)
        return h.ci95 ? intervalText(*h.value, *h.ci95, h.unit) : quantity(*h.value, h.unit);
    return h.valueNoSla ? quantity(*h.valueNoSla, h.unit) : "–";
}

std::string headlineLabel(const Report &report) {
    const analysis::Headline &h = report.analysis.headline;
    std::string label = h.value ? "sustained throughput per watt under SLA" : "units per joule, no SLA given";
    if (!h.value && !h.valueNoSla)
        label = "sustained throughput per watt under SLA";
    if (!h.settled)
        label += " (burst, not settled)";
    return label;
}

std::string latencyText(const analysis::Latency &l) {
    const auto ms = [](const std::optional<double> &v) { return v ? quantity(*v / 1000, "s") : std::string("–"); };
    return ms(l.p50Ms) + " / " + ms(l.p95Ms) + " / " + ms(l.p99Ms);
}

Markup slaTable(const analysis::Headline &h) {
    Table table({"Promise", "#Limit", "#Measured", "Outcome"});
    for (const analysis::SlaResult &sla : h.sla) {
        const std::string outcome = !sla.pass ? "not measured" : *sla.pass ? "✓ met" : "✗ missed";
        table.row({sla.term.metric + " p" + std::to_string(static_cast<int>(sla.term.percentile)),
                   quantity(sla.term.limitMs / 1000, "s"), sla.value ? quantity(*sla.value / 1000, "s") : "–", outcome});
    }
    return table.empty() ? Markup{} : table.markup();
}

}  // namespace

Markup headlineSection(const Report &report) {
    const analysis::AnalysisResult &a = report.analysis;
    Markup figures = figure(headlineValue(a.headline), headlineLabel(report));
    figures += figure(latencyText(a.latency), "latency p50 / p95 / p99, " + std::to_string(a.latency.n) + " units of work");
    figures += figure(quantity(a.energy.totalJ, "J"),
                      "energy of the measured range" +
                          (a.energy.coverage ? ", coverage " + percent(*a.energy.coverage) : std::string()));
    Markup content = element("div", figures, "headline");
    if (!a.headline.note.empty())
        content += paragraph(a.headline.note);
    content += slaTable(a.headline);
    if (!a.headline.domainsMeasured.empty())
        content += paragraph("Domains measured: " + joined(a.headline.domainsMeasured) + ".");
    if (!a.headline.domainsMissing.empty())
        content += paragraph("Domains missing from the watts: " + joined(a.headline.domainsMissing) + ".", "warn");
    if (a.headline.sustained)
        content += paragraph("Sustained interval: " + duration(a.headline.sustained->length()) + " from " +
                             duration(a.headline.sustained->begin) + ".");
    for (const auto &[field, reason] : a.reasons)
        if (field.starts_with("headline"))
            content += paragraph(field + ": " + reason, "muted small");
    return section("headline", "Headline", content);
}

}  // namespace wattproof::report
