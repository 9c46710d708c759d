#include "importers/power/power_importer.h"

#include "importers/power/power_run.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr std::size_t kErrorRows = 60;
constexpr double kUnknownTable = 0.1;  // enough to be asked, and to answer with a sentence

class PowerImporter final : public Importer {
public:
    [[nodiscard]] std::string_view name() const override { return "power-table"; }

    [[nodiscard]] SourceKind kind() const override { return SourceKind::Power; }

    [[nodiscard]] bool reads(std::string_view format) const override {
        const Expected<PowerResources> resources = loadPowerResources();
        return format == name() || format == "csv" || format.ends_with("-csv") || format.ends_with("-dmon") ||
               (resources && std::any_of(resources->descriptors.begin(), resources->descriptors.end(),
                                         [&](const Descriptor &d) { return d.format == format; }));
    }

    [[nodiscard]] std::vector<std::string> formats() const override {
        return {"nvidia-smi-csv", "csv (power, energy, temperature or clocks in a table)", "logs of power tools (docs/formats.md)"};
    }

    [[nodiscard]] double probe(std::span<const char> head, std::string_view) const override {
        const Expected<PowerResources> resources = loadPowerResources();
        const auto rows = headRows(head, kErrorRows);
        const double known = resources ? findLayout(head, resources->descriptors, "").confidence : 0.0;
        return known > 0 ? known : looksLikeTimeTable(rows) ? kUnknownTable : 0.0;
    }

    [[nodiscard]] Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &options,
                                           const Task &task) const override {
        Expected<PowerResources> resources = loadPowerResources();
        if (!resources)
            return passOn(resources);
        if (!options.descriptorJson.empty()) {
            Expected<Descriptor> given = parseDescriptor(options.descriptorJson, "the given descriptor");
            if (!given)
                return passOn(given);
            adopt(*resources, std::move(*given));
        }
        Expected<SensorFacts> facts = SensorFacts::load();
        if (!facts)
            return passOn(facts);
        const auto rows = headRows(input.head(), kErrorRows);
        const std::string &format = options.descriptorJson.empty() ? options.format : std::string();
        const Layout layout = findLayout(input.head(), resources->descriptors, format == name() ? "" : format);
        if (!layout.descriptor)
            return tl::unexpected<Error>(layoutError(rows, input.path()));
        return PowerRun(input, writer, options, task, *resources, *facts).run(layout);
    }

private:
    // A descriptor given on the spot is the only one; words it does not list are those of the shipped ones.
    static void adopt(PowerResources &resources, Descriptor given) {
        for (const Descriptor &shipped : resources.descriptors) {
            if (given.missing.empty())
                given.missing = shipped.missing;
            if (given.lost.empty())
                given.lost = shipped.lost;
        }
        resources.descriptors.clear();
        resources.descriptors.push_back(std::move(given));
    }
};

}  // namespace

std::unique_ptr<Importer> makePowerImporter() {
    return std::make_unique<PowerImporter>();
}

}  // namespace wattproof::importers
