#include "tests/support/analysed_run.h"

#include "importers/session.h"

namespace wattproof::test {

AnalysedRun analysed(const QTemporaryDir &dir, const std::vector<std::string> &files) {
    AnalysedRun run;
    const std::string path = dir.filePath("run.wattproof").toStdString();
    const auto fail = [&](const Error &error) {
        run.error = error.sentence();
        return std::move(run);
    };
    if (auto imported = importers::importToNew(files, path, {}, {}); !imported)
        return fail(imported.error());
    auto opened = store::Workspace::open(path);
    if (!opened)
        return fail(opened.error());
    run.workspace = *opened;
    auto aligned = analysis::alignAutomatically(*run.workspace, {});
    if (!aligned)
        return fail(aligned.error());
    run.alignments = std::move(*aligned);
    auto result = analysis::analyze(*run.workspace, std::nullopt, {});
    if (!result)
        return fail(result.error());
    run.result = std::move(*result);
    return run;
}

std::vector<std::string> written(const QTemporaryDir &dir, const simulator::Simulation &simulation) {
    const auto files = simulator::writeFiles(simulation, dir.filePath("run").toStdString());
    return files ? std::vector<std::string>{files->trace, files->power} : std::vector<std::string>{};
}

}  // namespace wattproof::test
