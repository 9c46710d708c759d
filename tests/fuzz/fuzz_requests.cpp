// Any bytes as a request, latency or quality log: as what they are recognised to be, and by the rules of one
// format. No crash, no hang, and what is handed to the store keeps its contract.
#include "importers/requests/recognise_log.h"
#include "importers/requests/requests_importer.h"
#include "tests/support/import_with.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace wattproof;

namespace {

// Loaded once: an importer does it at every probe, which is ten times the work of a small input.
const std::vector<importers::requests::LogRules> &allRules() {
    static const auto rules = importers::requests::loadLogRules();
    if (!rules)
        std::abort();
    return *rules;
}

void importBy(const importers::requests::LogRules &rules, const std::string &bytes) {
    const auto input = importers::Input::fromBytes(bytes, "fuzz.log");
    test::RecordingWriter writer;
    const auto summary = importers::requests::importLog(*input, writer, {}, Task{}, rules);
    if (!writer.violations.empty() || (!summary && summary.error().what.empty()))
        std::abort();
}

}  // namespace

// The first byte chooses the format that is forced, so that all of them are met.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    for (const SourceKind kind : {SourceKind::Requests, SourceKind::Quality})
        if (const auto *rules = importers::requests::findRules(bytes, allRules(), kind, ""))
            importBy(*rules, bytes);
    importBy(allRules()[data[0] % allRules().size()], bytes.substr(1));
    return 0;
}
