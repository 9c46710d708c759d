#include "tests/support/import_trace.h"

#include "importers/chrome/chrome_importer.h"

namespace wattproof::test {

std::string ImportedTrace::violations() const {
    std::string all;
    for (const std::string &each : writer->violations)
        all += each + "; ";
    return all.substr(0, 2000);
}

ImportedTrace importChrome(importers::Input &input) {
    ImportedTrace trace;
    trace.result = importers::makeChromeImporter()->import(input, *trace.writer, {}, {});
    return trace;
}

ImportedTrace importChromeFile(const std::string &path) {
    auto input = importers::Input::open(path);
    if (!input) {
        ImportedTrace trace;
        trace.result = passOn(input);
        return trace;
    }
    return importChrome(**input);
}

ImportedTrace importChromeText(std::string json) {
    return importChrome(*importers::Input::fromBytes(std::move(json), "trace.json"));
}

}  // namespace wattproof::test
