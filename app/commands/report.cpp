#include <cstdio>

#include <QGuiApplication>
#include <QLoggingCategory>

#include "app/commands/analysis_run.h"
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "report/draw/write_report.h"

namespace wattproof::app {
namespace {

// Pictures are painted with Qt Gui, which wants an application object; no display is needed for it.
struct HeadlessPainting {
    HeadlessPainting() {
        // Standard error belongs to our own sentences; Qt remarks there on a missing session folder, for one.
        QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false\nqt.*.warning=false"));
        if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    int argc = 1;
    char name[10] = "wattproof";
    char *argv[2] = {name, nullptr};
};

Expected<std::optional<analysis::AnalysisResult>> analyzeBaseline(const std::string &path, const Task &task) {
    if (path.empty())
        return std::optional<analysis::AnalysisResult>();
    auto workspace = store::Workspace::open(path, true);
    if (!workspace)
        return passOn(workspace);
    auto result = runAnalysis(**workspace, {}, task);
    if (!result)
        return passOn(result);
    return std::optional<analysis::AnalysisResult>(std::move(*result));
}

}  // namespace

ExitCode reportCommand(const ReportArguments &arguments, const Task &task) {
    HeadlessPainting painting;
    QGuiApplication application(painting.argc, painting.argv);
    auto workspace = store::Workspace::open(arguments.workspace);
    if (!workspace)
        return fail(workspace.error());
    auto result = runAnalysis(**workspace, arguments.scenario, task);
    if (!result)
        return fail(result.error());
    auto baseline = analyzeBaseline(arguments.baseline, task);
    if (!baseline)
        return fail(baseline.error());
    if (auto written = draw::writeReport(**workspace, *result, *baseline, arguments.output); !written)
        return fail(written.error());
    endProgress();
    std::printf("%s\n", arguments.output.c_str());
    return kOk;
}

}  // namespace wattproof::app
