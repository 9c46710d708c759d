// Imports, aligns and analyses files, as the command line does.
#pragma once

#include "analysis/alignment/align.h"
#include "analysis/analyze.h"
#include "tests/simulator/simulator.h"

#include <memory>
#include <string>
#include <vector>

#include <QTemporaryDir>

namespace wattproof::test {

struct AnalysedRun {
    std::shared_ptr<store::Workspace> workspace;
    analysis::AnalysisResult result;
    std::vector<analysis::SourceAlignment> alignments;
    std::string error;  // empty when all went well
};

[[nodiscard]] AnalysedRun analysed(const QTemporaryDir &, const std::vector<std::string> &files);

// The trace and the power log of a simulation, written into the folder.
[[nodiscard]] std::vector<std::string> written(const QTemporaryDir &, const simulator::Simulation &);

}  // namespace wattproof::test
