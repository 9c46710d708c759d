#include "report/model/header.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "store/version.h"

namespace wattproof::report {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool keyMatches(const std::string &key, const std::string &name) {
    const std::string k = lower(key), n = lower(name);
    return k == n || (k.size() > n.size() && k.ends_with(n) && k[k.size() - n.size() - 1] == '.');
}

// Each field and the metadata keys that may hold it, as the formats of docs/formats.md write them.
struct Wanted {
    const char *field;
    std::vector<std::string> keys;
};

const std::vector<Wanted> &wantedFields() {
    static const std::vector<Wanted> fields{
        {"Driver", {"driver_version", "cuda_driver_version", "driver"}},
        {"Runtime", {"cuda_runtime_version", "cuda_version", "hip_version", "rocm_version", "hip_runtime_version"}},
        {"Framework", {"framework", "pytorch_version", "torch_version", "jax_version", "schemaVersion"}},
        {"Host", {"host_name", "hostname", "host"}},
        {"Distributed", {"distributedInfo", "distributedInfo.world_size", "world_size"}},
        {"Environment", {"environment", "container", "image"}},
    };
    return fields;
}

std::string joined(const std::set<std::string> &parts) {
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

HeaderField deviceField(const std::vector<DeviceRow> &devices) {
    std::set<std::string> models;
    for (const DeviceRow &device : devices)
        if (device.kind == DeviceKind::Gpu)
            models.insert(device.model.empty() ? device.name : device.name + ": " + device.model);
    return {"Device", joined(models), models.empty() ? "" : "devices"};
}

HeaderField rangeField(const char *name, const std::vector<CounterRow> &counters, std::string_view quantityWord,
                       std::string_view unit) {
    std::set<std::string> parts;
    for (const CounterRow &counter : counters) {
        if (counter.quantity != quantityWord || counter.unit != unit || counter.sampleCount == 0)
            continue;
        std::string value = quantity(counter.minValue, unit);
        if (counter.maxValue != counter.minValue)
            value += " – " + quantity(counter.maxValue, unit);
        parts.insert(counter.name + " " + value);
    }
    return {name, joined(parts), parts.empty() ? "" : "counters"};
}

}  // namespace

std::optional<FoundValue> findMetadata(const std::vector<MetadataRow> &rows, const std::vector<std::string> &names) {
    for (const std::string &name : names)
        for (const MetadataRow &row : rows)
            if (!row.value.empty() && keyMatches(row.key, name))
                return FoundValue{row.value, row.key, row.source};
    return std::nullopt;
}

Expected<std::vector<HeaderField>> buildHeader(store::Reader &reader, const analysis::AnalysisResult &analysis) {
    auto metadata = reader.metadata();
    auto devices = reader.devices();
    auto counters = reader.counters();
    if (!metadata)
        return passOn(metadata);
    if (!devices)
        return passOn(devices);
    if (!counters)
        return passOn(counters);

    std::vector<HeaderField> header;
    header.push_back({"Tool", std::string("Wattproof ") + toolVersion() + " (" + buildData() + ")", "this build"});
    header.push_back({"Workload", analysis.scenario.workload.empty() ? analysis.scenario.name : analysis.scenario.workload,
                      "scenario"});
    header.push_back(deviceField(*devices));
    for (const Wanted &wanted : wantedFields()) {
        const auto found = findMetadata(*metadata, wanted.keys);
        header.push_back({wanted.field, found ? found->value : "", found ? found->key : ""});
    }
    header.push_back({"Declared precision", analysis.scenario.declaredPrecision, "scenario"});
    header.push_back(rangeField("Clocks", *counters, "clock", "Hz"));
    header.push_back(rangeField("Power limit", *counters, "limit", "W"));
    return header;
}

}  // namespace wattproof::report
