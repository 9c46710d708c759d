#include "report/comparison.h"

#include "report/html/sections.h"

namespace wattproof::report {

Markup comparisonSection(const Report &report) {
    if (!report.baseline)
        return {};
    Table table({"", "#Before", "#After", "#Change"});
    for (const OperatingRow &row : operatingPoints(*report.baseline, report.analysis))
        if (row.before || row.after)
            table.row({row.name, quantity(row.before, row.unit), quantity(row.after, row.unit),
                       row.change() ? percent(*row.change()) : "–"});
    Markup content = paragraph("Before: " + fileName(report.baseline->workspace) + ". After: " +
                               fileName(report.analysis.workspace) + ".");
    content += table.markup();
    content += bulletList(comparisonCautions(*report.baseline, report.analysis), "Unit of work and measured domains agree.");
    return section("comparison", "Before and after", content);
}

}  // namespace wattproof::report
