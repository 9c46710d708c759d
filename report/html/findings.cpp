#include "report/html/sections.h"

namespace wattproof::report {

std::string gainText(const std::optional<analysis::Interval> &gain) {
    if (!gain)
        return "–";
    return percent((gain->low + gain->high) / 2) + " [" + percent(gain->low) + " – " + percent(gain->high) + "]";
}

namespace {

using analysis::Finding;

std::string anchor(const Finding &f) {
    return "finding-" + std::to_string(f.rank);
}

Markup labelled(std::string_view label, std::string_view content) {
    return raw(element("h4", text(label)).html + paragraph(content).html);
}

Markup tags(const Finding &f) {
    Markup line = element("span", text(f.bottleneckClass), "tag");
    line += element("span", text("confidence " + f.confidence + " (" + percent(f.confidenceP) + ")"), "tag");
    line += element("span", text("recoverable: " + recoverableText(f)), "tag");
    line += element("span", text("headline " + gainText(f.headlineGain)), "tag");
    return element("p", line);
}

Markup chain(const Finding &f) {
    Table table({"Intent", "Mapping", "Hardware behaviour", "Product impact"});
    table.row({f.chainIntent, f.chainMapping, f.chainBehaviour, f.chainImpact});
    return table.markup();
}

Markup evidenceTable(const Finding &f) {
    Table table({"Evidence", "#Value", "Range", "Source"});
    for (const analysis::Evidence &e : f.evidence)
        table.row({e.claim, e.unit == "ns" ? duration(static_cast<Ns>(e.value)) : quantity(e.value, e.unit),
                   duration(e.range.begin) + " + " + duration(e.range.length()), fileName(e.source)});
    return table.markup();
}

Markup checksTable(const Finding &f) {
    Table table({"Check that could refute it", "Outcome"});
    for (const analysis::Check &c : f.checks)
        table.row({c.claim, c.passed ? "✓ passed" : "✗ failed"});
    return table.markup();
}

Markup contradictions(const Finding &f) {
    std::vector<std::string> items;
    for (const analysis::Contradiction &c : f.contradictions)
        items.push_back(c.claim + " (" + c.effect + ")");
    return bulletList(items, "No evidence against it was found.");
}

Markup findingBody(const Finding &f, const PictureFn &picture) {
    Markup body = raw("<h3 id=\"" + anchor(f) + "\">" + std::to_string(f.rank) + ". " + escapeHtml(f.title) + "</h3>\n");
    body += tags(f);
    body += paragraph(f.mechanism);
    if (picture) {
        const std::string svg = picture(f.range, f.tracks);
        if (!svg.empty())
            body += element("div", raw(svg), "picture");
    }
    body += chain(f);
    body += evidenceTable(f);
    body += checksTable(f);
    body += raw(element("h4", text("Contradictory evidence")).html + contradictions(f).html);
    body += labelled("Counterfactual", f.counterfactual);
    body += labelled("What it does not prove", f.doesNotProve);
    body += labelled("Next action", f.nextAction);
    body += raw(element("h4", text("Why this confidence")).html + bulletList(f.confidenceReasons, "No reason is given.").html);
    return element("div", body, "finding");
}

}  // namespace

Markup rankingSection(const Report &report) {
    Table table({"#", "Finding", "Class", "#Recoverable", "#Throughput", "#Headline", "Confidence"});
    for (const Finding &f : report.analysis.findings)
        table.row({text(std::to_string(f.rank)), raw("<a href=\"#" + anchor(f) + "\">" + escapeHtml(f.title) + "</a>"),
                   text(f.bottleneckClass), text(recoverableText(f)), text(gainText(f.throughputGain)),
                   text(gainText(f.headlineGain)), text(f.confidence)});
    Markup content = table.empty() ? paragraph("No bottleneck was found in what could be checked.") : table.markup();
    if (report.analysis.jointRecoverableJ && report.analysis.findings.size() > 1) {
        const analysis::Interval &joint = *report.analysis.jointRecoverableJ;
        content += paragraph("Opportunities overlap and do not add up. Joint ceiling: " +
                             intervalText((joint.low + joint.high) / 2, joint, "J") + ".");
    }
    std::vector<std::string> needs;
    for (const analysis::RuleNeed &need : report.analysis.needs)
        needs.push_back(need.rule + ": " + need.needs);
    content += element("h3", text("Could not be checked"));
    content += bulletList(needs, "Every rule had the data it needs.");
    return section("ranking", "Bottleneck ranking", content);
}

Markup findingSections(const Report &report, const PictureFn &picture) {
    Markup content;
    for (const Finding &f : report.analysis.findings)
        content += findingBody(f, picture);
    return report.analysis.findings.empty() ? Markup{} : section("findings", "Findings", content);
}

Markup planSection(const Report &report) {
    Table table({"#", "One primary change", "Guardrails", "Owner", "Rollback boundary"});
    for (const Finding &f : report.analysis.findings) {
        if (f.intervention.empty())
            continue;
        std::string guardrails;
        for (const std::string &g : f.guardrails)
            guardrails += (guardrails.empty() ? "" : "; ") + g;
        const auto decided = [](const std::optional<std::string> &value, const std::string &proposal) {
            if (value && !value->empty())
                return text(*value);
            return element("span", text(proposal.empty() ? "missing" : "not decided; proposed: " + proposal), "bad");
        };
        table.row({text(std::to_string(f.rank)), text(f.intervention), text(guardrails), decided(f.owner, ""),
                   decided(f.rollback, f.rollbackBoundary)});
    }
    return section("plan", "Intervention plan",
                   table.empty() ? paragraph("No intervention follows from the findings.", "muted") : table.markup());
}

Markup matrixSection(const Report &report) {
    Table table({"Evidence", "Here", "Tells", "Does not prove", "Next action"});
    for (const analysis::EvidenceKind &e : report.analysis.evidenceMatrix)
        table.row({e.evidence, e.present ? "✓ present" : "– missing", e.tells, e.doesNotProve, e.nextAction});
    return section("matrix", "Evidence matrix", table.markup());
}

Markup contradictionsSection(const Report &report) {
    std::vector<std::string> items;
    for (const Finding &f : report.analysis.findings) {
        for (const analysis::Contradiction &c : f.contradictions)
            items.push_back("Finding " + std::to_string(f.rank) + ": " + c.claim + " (" + c.effect + ")");
        for (const analysis::Check &c : f.checks)
            if (!c.passed)
                items.push_back("Finding " + std::to_string(f.rank) + ": the check failed: " + c.claim);
    }
    return section("contradictions", "Contradictory evidence", bulletList(items, "None was found by the checks that were run."));
}

}  // namespace wattproof::report
