#include "report/html/sections.h"

namespace wattproof::report {

std::string fileName(const std::string &path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

namespace {

Markup headerTable(const Report &report) {
    Table table({"Field", "Value", "Found in"});
    std::vector<std::string> unknown;
    for (const HeaderField &field : report.header) {
        if (field.value.empty())
            unknown.push_back(field.key);
        else
            table.row({field.key, field.value, field.origin});
    }
    Markup content = table.markup();
    std::string list;
    for (const std::string &key : unknown)
        list += (list.empty() ? "" : ", ") + key;
    content += paragraph(unknown.empty() ? "Nothing is unknown." : "Unknown: " + list + ".", unknown.empty() ? "muted" : "warn");
    return content;
}

Markup sourcesTable(const Report &report) {
    Table table({"Source", "Format", "#Size", "Clock", "SHA-256"});
    for (const SourceRow &s : report.sources)
        table.row({text(fileName(s.path) + (s.simulated ? " (simulated)" : "")), text(s.format),
                   text(quantity(static_cast<double>(s.sizeBytes), "B")),
                   text(std::string(word(s.clock)) + (s.zone.empty() ? "" : ", " + s.zone)),
                   element("code", text(s.sha256), "small")});
    return table.markup();
}

Markup alignmentTable(const Report &report) {
    Table table({"Source", "Method", "#Offset", "#Uncertainty", "#Confidence", "How"});
    for (const store::Alignment &a : report.analysis.alignment) {
        std::string name = std::to_string(a.source.value);
        for (const SourceRow &s : report.sources)
            if (s.id == a.source)
                name = fileName(s.path);
        table.row({name, a.method, duration(a.offset), duration(a.uncertainty), percent(a.confidence), a.note});
    }
    return table.empty() ? Markup{} : table.markup();
}

}  // namespace

Markup headerSection(const Report &report) {
    Markup content = headerTable(report);
    content += element("h3", text("Sources"));
    content += sourcesTable(report);
    content += element("h3", text("Clock alignment"));
    content += alignmentTable(report);
    return section("run", "Run", content);
}

Markup annotationsSection(const Report &report) {
    Table table({"#At", "#Length", "Note", "Author", "Written"});
    for (const store::Annotation &a : report.annotations)
        table.row({duration(a.ts), a.dur > 0 ? duration(a.dur) : "instant", a.text, a.author, a.createdAt});
    return section("annotations", "Annotations", table.empty() ? paragraph("No annotations.", "muted") : table.markup());
}

Markup warningsSection(const Report &report) {
    Table table({"Source", "Kind", "#Count", "First at", "What was done"});
    for (const WarningRow &w : report.warnings) {
        std::string name;
        for (const SourceRow &s : report.sources)
            if (s.id == w.source)
                name = fileName(s.path);
        table.row({name, w.kind, std::to_string(w.count), w.firstPosition, w.message});
    }
    Markup content = table.empty() ? paragraph("The import had nothing to warn of.", "muted") : table.markup();
    content += bulletList(report.analysis.warnings, "The analysis had nothing to warn of.");
    return section("warnings", "Warnings", content);
}

Markup appendixSection(const Report &report) {
    Markup content = paragraph(
        "Every figure of the findings is the first cell of its query over the public views of the workspace. Run one with "
        "wattproof query, or in any SQLite shell.");
    for (const auto &[claim, query] : report.queries) {
        if (query.empty())
            continue;
        content += element("h4", text(claim));
        content += code(query);
    }
    return section("appendix", "Appendix: queries", content);
}

}  // namespace wattproof::report
