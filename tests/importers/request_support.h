// Imports a request or quality log as a session would, into a recording writer.
#pragma once

#include "analysis/stats/percentile.h"
#include "importers/importer.h"
#include "tests/support/import_with.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::test {

inline std::unique_ptr<ImportRun> importRecognised(importers::Input &input,
                                                   const importers::Options &options = {}) {
    auto run = std::make_unique<ImportRun>();
    auto importer = importers::recognise(input, options);
    run->summary = importer ? (*importer)->import(input, run->writer, options, Task{}) : passOn(importer);
    return run;
}

inline std::unique_ptr<ImportRun> importLogText(const std::string &text, const importers::Options &options = {}) {
    return importRecognised(*importers::Input::fromBytes(text, "log"), options);
}

inline std::unique_ptr<ImportRun> importLogFile(const std::string &path, const importers::Options &options = {}) {
    auto input = importers::Input::open(path);
    if (input)
        return importRecognised(**input, options);
    auto run = std::make_unique<ImportRun>();
    run->summary = passOn(input);
    return run;
}

// Latencies of the requests that succeeded, of one name or all, in ms and ascending.
inline std::vector<double> latenciesMs(const RecordingWriter &writer, const std::string &name = {}) {
    std::vector<double> sorted;
    for (const RequestRow &row : writer.requests)
        if (row.ok && (name.empty() || row.name == name))
            sorted.push_back(static_cast<double>(row.dur) / 1e6);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

inline const QualityRow *figureOf(const RecordingWriter &writer, const std::string &metric,
                                  const std::string &slice = {}) {
    for (const QualityRow &row : writer.quality)
        if (row.metric == metric && (slice.empty() || row.slice == slice))
            return &row;
    return nullptr;
}

// Name, start, length and outcome of all requests, in one line.
inline std::string rowsOf(const RecordingWriter &writer) {
    std::string text;
    for (const RequestRow &row : writer.requests)
        text += row.name + " " + std::to_string(row.ts) + "+" + std::to_string(row.dur) +
                (row.ok ? " ok" : " failed") + "; ";
    return text;
}

// Kind, count and first position of all warnings, in one line.
inline std::string warningsOf(const RecordingWriter &writer) {
    std::string text;
    for (const WarningRow &row : writer.warnings)
        text += row.kind + " " + std::to_string(row.count) +
                (row.firstPosition.empty() ? "" : " at " + row.firstPosition) + "; ";
    return text;
}

}  // namespace wattproof::test
