#include "report/comparison.h"
#include "report/html/sections.h"
#include "report/report.h"
#include "store/version.h"

namespace wattproof::report {
namespace {

using analysis::Finding;

// Text from traces must not become markup, a link or a table border.
std::string escaped(std::string_view content) {
    std::string safe;
    for (const char c : content) {
        if (std::string_view("\\`*_{}[]<>#|!&~").find(c) != std::string_view::npos)
            safe += '\\';
        safe += c == '\n' || c == '\r' ? ' ' : c;
    }
    return safe;
}

std::string row(const std::vector<std::string> &cells) {
    std::string line = "|";
    for (const std::string &cell : cells)
        line += " " + escaped(cell) + " |";
    return line + "\n";
}

std::string tableHead(const std::vector<std::string> &columns) {
    std::string rule = "|";
    for (std::size_t i = 0; i < columns.size(); ++i)
        rule += " --- |";
    return row(columns) + rule + "\n";
}

// A fence longer than any run of backticks inside, so that a query cannot end it.
std::string fenced(const std::string &sql) {
    std::string fence = "```";
    while (sql.find(fence) != std::string::npos)
        fence += '`';
    return fence + "sql\n" + sql + "\n" + fence + "\n\n";
}

std::string headline(const Report &report) {
    const analysis::Headline &h = report.analysis.headline;
    std::string value = "–";
    if (h.value)
        value = h.ci95 ? intervalText(*h.value, *h.ci95, h.unit) : quantity(*h.value, h.unit);
    else if (h.valueNoSla)
        value = quantity(*h.valueNoSla, h.unit) + " (no SLA given)";
    std::string out = "**" + escaped(value) + "** sustained throughput per watt under SLA" +
                      (h.settled ? "" : " (burst, not settled)") + "\n\n";
    for (const std::string &domain : h.domainsMissing)
        out += "- missing from the watts: " + escaped(domain) + "\n";
    for (const auto &[field, reason] : report.analysis.reasons)
        if (field.starts_with("headline"))
            out += "- " + escaped(field + ": " + reason) + "\n";
    return out + "\n";
}

std::string ranking(const Report &report) {
    std::string out = tableHead({"#", "Finding", "Class", "Recoverable", "Headline gain", "Confidence"});
    for (const Finding &f : report.analysis.findings)
        out += row({std::to_string(f.rank), f.title, f.bottleneckClass, recoverableText(f), gainText(f.headlineGain),
                    f.confidence});
    return report.analysis.findings.empty() ? "No bottleneck was found in what could be checked.\n\n" : out + "\n";
}

std::string finding(const Finding &f) {
    std::string out = "### " + std::to_string(f.rank) + ". " + escaped(f.title) + "\n\n" + escaped(f.mechanism) + "\n\n";
    out += tableHead({"Evidence", "Value", "From", "Length"});
    for (const analysis::Evidence &e : f.evidence)
        out += row({e.claim, e.unit == "ns" ? duration(static_cast<Ns>(e.value)) : quantity(e.value, e.unit),
                    duration(e.range.begin), duration(e.range.length())});
    out += "\n";
    for (const analysis::Contradiction &c : f.contradictions)
        out += "- against it: " + escaped(c.claim + " (" + c.effect + ")") + "\n";
    out += "- does not prove: " + escaped(f.doesNotProve) + "\n- next action: " + escaped(f.nextAction) + "\n- change: " +
           escaped(f.intervention) + "\n- owner: " + escaped(f.owner.value_or("missing")) +
           "\n- rollback: " + escaped(f.rollback.value_or("not decided; proposed: " + f.rollbackBoundary)) + "\n\n";
    return out;
}

std::string energy(const Report &report) {
    if (!report.analysis.energy.totalJ)
        return "Joules are unknown: no power log is in this workspace.\n\n";
    std::string out = tableHead({"Device", "Kernels", "Copies", "Idle", "Outside the trace", "Unexplained", "Integral", "Coverage"});
    for (const analysis::DeviceEnergy &d : report.analysis.energy.devices)
        out += row({d.device, quantity(d.kernelsJ, "J"), quantity(d.copiesJ, "J"), quantity(d.idleJ, "J"),
                    quantity(d.outsideTraceJ, "J"), quantity(d.unexplainedJ, "J"), quantity(d.integralJ, "J"),
                    percent(d.coverage)});
    return out + "\n";
}

std::string comparison(const Report &report) {
    if (!report.baseline)
        return {};
    std::string out = "## Before and after\n\n" + tableHead({"", "Before", "After", "Change"});
    for (const OperatingRow &r : operatingPoints(*report.baseline, report.analysis))
        if (r.before || r.after)
            out += row({r.name, quantity(r.before, r.unit), quantity(r.after, r.unit), r.change() ? percent(*r.change()) : "–"});
    for (const std::string &caution : comparisonCautions(*report.baseline, report.analysis))
        out += "\n- " + escaped(caution);
    return out + "\n\n";
}

std::string run(const Report &report) {
    std::string out = tableHead({"Field", "Value"});
    for (const HeaderField &field : report.header)
        out += row({field.key, field.value.empty() ? "unknown" : field.value});
    out += "\n" + tableHead({"Source", "Format", "SHA-256"});
    for (const SourceRow &s : report.sources)
        out += row({fileName(s.path), s.format, s.sha256});
    return out + "\n";
}

}  // namespace

std::string toMarkdown(const Report &report) {
    std::string out = "# Performance per watt: " + escaped(fileName(report.analysis.workspace)) +
                      (report.simulated ? " (simulated data)" : "") + "\n\nWattproof " + toolVersion() + ", " +
                      report.createdAt + "\n\n";
    out += "## Headline\n\n" + headline(report);
    out += "## Bottleneck ranking\n\n" + ranking(report);
    for (const Finding &f : report.analysis.findings)
        out += finding(f);
    out += comparison(report);
    out += "## Energy\n\n" + energy(report);
    out += "## Run\n\n" + run(report);
    if (!report.annotations.empty())
        out += "## Annotations\n\n";
    for (const store::Annotation &a : report.annotations)
        out += "- " + duration(a.ts) + ": " + escaped(a.text) + (a.author.empty() ? "" : " — " + escaped(a.author)) + "\n";
    out += "\n## Warnings\n\n";
    for (const WarningRow &w : report.warnings)
        out += "- " + escaped(w.kind) + " × " + std::to_string(w.count) + ": " + escaped(w.message) + "\n";
    out += "\n## Queries\n\n";
    for (const auto &[claim, query] : report.queries)
        if (!query.empty())
            out += escaped(claim) + "\n\n" + fenced(query);
    return out;
}

}  // namespace wattproof::report
