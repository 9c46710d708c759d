// Runs one importer over bytes or a file into a recording writer.
#pragma once

#include "importers/importer.h"
#include "tests/support/recording_writer.h"

#include <memory>
#include <string>

namespace wattproof::test {

struct ImportRun {
    RecordingWriter writer;
    Expected<importers::Summary> summary = failure("not imported");

    // "ok", or the sentence of the error.
    [[nodiscard]] std::string outcome() const { return summary ? "ok" : summary.error().sentence(); }
    // The operation that became the slice of this name; none when there is none.
    [[nodiscard]] const GpuOpRow *operation(std::string_view name) const {
        for (const GpuOpRow &row : writer.gpuOps)
            if (writer.text(writer.slice(row.slice).name) == name)
                return &row;
        return nullptr;
    }
};

inline std::unique_ptr<ImportRun> importWith(const importers::Importer &importer, importers::Input &input) {
    auto run = std::make_unique<ImportRun>();
    run->summary = importer.import(input, run->writer, {}, Task{});
    return run;
}

inline std::unique_ptr<ImportRun> importBytes(const importers::Importer &importer, std::string bytes,
                                              std::string name) {
    return importWith(importer, *importers::Input::fromBytes(std::move(bytes), std::move(name)));
}

inline std::unique_ptr<ImportRun> importFile(const importers::Importer &importer, const std::string &path) {
    auto run = std::make_unique<ImportRun>();
    auto input = importers::Input::open(path);
    if (!input) {
        run->summary = passOn(input);
        return run;
    }
    return importWith(importer, **input);
}

}  // namespace wattproof::test
