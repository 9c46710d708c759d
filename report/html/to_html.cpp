#include "report/html/sections.h"
#include "store/version.h"

namespace wattproof::report {
namespace {

// The figures as data, so that they can be re-derived from the page alone. A '<' can only stand inside a JSON string; written
// as its escape it can neither end the element nor open another.
Markup embeddedJson(const Report &report) {
    std::string safe;
    for (const char c : toJson(report))
        safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return raw("<script type=\"application/json\" id=\"wattproof-report\">" + safe + "</script>\n");
}

}  // namespace

std::string toHtml(const Report &report, const PictureFn &picture) {
    const std::string name = report.analysis.scenario.name.empty() ? fileName(report.analysis.workspace)
                                                                    : report.analysis.scenario.name;
    const std::string title = "Performance per watt: " + name + (report.simulated ? " (simulated data)" : "");
    Markup body = element("h1", text(title));
    body += paragraph("Wattproof " + std::string(toolVersion()) + ", " + report.createdAt, "muted");
    if (report.simulated)
        body += paragraph("This run was simulated: it shows the method, and says nothing about any real device.", "banner");
    body += headlineSection(report);
    body += rankingSection(report);
    body += findingSections(report, picture);
    body += planSection(report);
    body += comparisonSection(report);
    body += energySection(report);
    body += timelineSection(report);
    body += matrixSection(report);
    body += contradictionsSection(report);
    if (!report.analysis.lints.empty())
        body += section("lints", "Cautions", bulletList(report.analysis.lints, ""));
    body += headerSection(report);
    body += annotationsSection(report);
    body += warningsSection(report);
    body += appendixSection(report);
    body += embeddedJson(report);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
           escapeHtml(title) + "</title>\n<style>" + pageStyle() + "</style>\n</head>\n<body>\n" + body.html +
           "</body>\n</html>\n";
}

}  // namespace wattproof::report
