// Imports a trace into a recording writer, for tests that look at what came of it.
#pragma once

#include <memory>
#include <string>

#include "importers/importer.h"
#include "tests/support/recording_writer.h"

namespace wattproof::test {

struct ImportedTrace {
    Expected<importers::Summary> result = importers::Summary();
    std::unique_ptr<RecordingWriter> writer = std::make_unique<RecordingWriter>();

    [[nodiscard]] Ns base() const { return writer->sources.at(0).statedBase; }
    // "ok", or the sentence of the error.
    [[nodiscard]] std::string outcome() const { return result ? "ok" : result.error().sentence(); }
    // Sentences of all broken rules of the writer's contract, empty when there are none.
    [[nodiscard]] std::string violations() const;
};

ImportedTrace importChrome(importers::Input &);
ImportedTrace importChromeFile(const std::string &path);
ImportedTrace importChromeText(std::string json);
ImportedTrace importPerfetto(importers::Input &);
ImportedTrace importPerfettoFile(const std::string &path);
ImportedTrace importPerfettoBytes(std::string bytes);
// ftrace text, or a page that holds some.
ImportedTrace importSystraceFile(const std::string &path);
ImportedTrace importSystraceText(std::string text);

}  // namespace wattproof::test
