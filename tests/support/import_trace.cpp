#include "tests/support/import_trace.h"

#include "importers/chrome/chrome_importer.h"
#include "importers/ftrace/systrace_importer.h"
#include "importers/perfetto/perfetto_importer.h"

namespace wattproof::test {

std::string ImportedTrace::violations() const {
    std::string all;
    for (const std::string &each : writer->violations)
        all += each + "; ";
    return all.substr(0, 2000);
}

namespace {

ImportedTrace importWith(const importers::Importer &importer, importers::Input &input) {
    ImportedTrace trace;
    trace.result = importer.import(input, *trace.writer, {}, {});
    return trace;
}

ImportedTrace importFile(const importers::Importer &importer, const std::string &path) {
    auto input = importers::Input::open(path);
    if (input)
        return importWith(importer, **input);
    ImportedTrace trace;
    trace.result = passOn(input);
    return trace;
}

}  // namespace

ImportedTrace importChrome(importers::Input &input) {
    return importWith(*importers::makeChromeImporter(), input);
}

ImportedTrace importChromeFile(const std::string &path) {
    return importFile(*importers::makeChromeImporter(), path);
}

ImportedTrace importPerfetto(importers::Input &input) {
    return importWith(*importers::makePerfettoImporter(), input);
}

ImportedTrace importPerfettoFile(const std::string &path) {
    return importFile(*importers::makePerfettoImporter(), path);
}

ImportedTrace importPerfettoBytes(std::string bytes) {
    return importPerfetto(*importers::Input::fromBytes(std::move(bytes), "trace.pftrace"));
}

ImportedTrace importChromeText(std::string json) {
    return importChrome(*importers::Input::fromBytes(std::move(json), "trace.json"));
}

ImportedTrace importSystraceFile(const std::string &path) {
    ImportedTrace trace;
    auto input = importers::Input::open(path);
    if (input)
        trace.result = importers::makeSystraceImporter()->import(**input, *trace.writer, {}, {});
    else
        trace.result = passOn(input);
    return trace;
}

ImportedTrace importSystraceText(std::string text) {
    ImportedTrace trace;
    const auto input = importers::Input::fromBytes(std::move(text), "trace.txt");
    trace.result = importers::makeSystraceImporter()->import(*input, *trace.writer, {}, {});
    return trace;
}

}  // namespace wattproof::test
