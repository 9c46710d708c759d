#include "importers/chrome/chrome_importer.h"
#include "importers/cpuprofile/cpuprofile_importer.h"
#include "importers/ftrace/systrace_importer.h"
#include "importers/importer.h"
#include "importers/marks/load_marks_importer.h"
#include "importers/nsys/nsys_importer.h"
#include "importers/perfetto/perfetto_importer.h"
#include "importers/power/power_importer.h"
#include "importers/requests/requests_importer.h"
#include "importers/rocprof/rocprof_importer.h"
#include "importers/sqlite_export/sqlite_export_importer.h"
#include "importers/xplane/xplane_importer.h"

#include <string>

namespace wattproof::importers {
namespace {

constexpr double kSureOfAnother = 0.9;  // another importer is then asked although a format was forced on all files

struct Candidate {
    const Importer *importer = nullptr;
    double confidence = 0;
};

Candidate surest(std::span<const char> head, std::string_view name) {
    Candidate best;
    for (const auto &importer : registry()) {
        const double confidence = importer->probe(head, name);
        if (confidence > best.confidence)
            best = {importer.get(), confidence};
    }
    return best;
}

const Importer *forced(const Options &options) {
    const std::string_view format = !options.format.empty()           ? std::string_view(options.format)
                                    : !options.descriptorJson.empty() ? std::string_view("csv")
                                                                      : std::string_view();
    for (const auto &importer : registry())
        if (!format.empty() && importer->reads(format))
            return importer.get();
    return nullptr;
}

std::string knownFormats() {
    std::string list;
    for (const auto &importer : registry())
        for (const std::string &format : importer->formats())
            list += (list.empty() ? "" : ", ") + format;
    return list;
}

}  // namespace

const std::vector<std::unique_ptr<Importer>> &registry() {
    static const std::vector<std::unique_ptr<Importer>> importers = [] {
        std::vector<std::unique_ptr<Importer>> all;
        all.push_back(makeChromeImporter());
        all.push_back(makePerfettoImporter());
        all.push_back(makeNsysImporter());
        all.push_back(makeRequestsImporter());  // before power, which means every other "…-csv"
        all.push_back(makeQualityImporter());
        all.push_back(makeLoadMarksImporter());
        all.push_back(makePowerImporter());
        all.push_back(makeRocprofImporter());
        all.push_back(makeCpuprofileImporter());
        all.push_back(makeSqliteExportImporter());
        all.push_back(makeXplaneImporter());
        all.push_back(makeSystraceImporter());
        return all;
    }();
    return importers;
}

Expected<const Importer *> recognise(Input &input, const Options &options) {
    const std::span<const char> head = input.head();
    if (head.empty())
        return failure("the file is empty", input.path(), "record it again");
    const Candidate best = surest(head, input.path());
    if (const Importer *wanted = forced(options)) {
        // A format set for a session of several files means those that could be of it.
        const bool clearlyAnother =
            !options.isFirm && best.importer != wanted && best.confidence >= kSureOfAnother && wanted->probe(head, input.path()) == 0;
        return clearlyAnother ? best.importer : wanted;
    }
    if (!options.format.empty())
        return failure("the format \"" + options.format + "\" is not known", input.path(),
                       "use one of: " + knownFormats());
    if (!best.importer)
        return failure("the file is in no format that can be read", input.path(), "use one of: " + knownFormats());
    return best.importer;
}

}  // namespace wattproof::importers
