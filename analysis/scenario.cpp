#include "analysis/scenario.h"

#include "analysis/json/fields.h"

namespace wattproof::analysis {
namespace {

using nlohmann::json;

constexpr const char *kArgumentPrefix = "args.";

void readAmount(Fields &fields, Scenario &scenario) {
    const json *amount = fields.any("amount");
    if (amount == nullptr)
        return;
    if (amount->is_number() && amount->get<double>() > 0)
        scenario.unitAmount = amount->get<double>();
    else if (amount->is_string() && amount->get<std::string>().rfind(kArgumentPrefix, 0) == 0)
        scenario.unitAmountArgument = amount->get<std::string>();
    else
        fields.reject("amount", "a number above 0, or an argument of the slice such as \"args.tokens\"");
}

void readUnit(Fields &fields, Scenario &scenario) {
    const json *unit = fields.object("unit");
    if (unit == nullptr)
        return;
    Fields nested(*unit, "unit", fields.origin());
    nested.text("name", scenario.unitName);
    nested.text("slices", scenario.unitSlices);
    readAmount(nested, scenario);
    fields.adopt(nested);
}

void readSla(Fields &fields, Scenario &scenario) {
    const json *terms = fields.array("sla");
    if (terms == nullptr)
        return;
    for (std::size_t i = 0; i < terms->size(); ++i) {
        SlaTerm term;
        Fields nested((*terms)[i], "sla[" + std::to_string(i) + "]", fields.origin());
        nested.text("metric", term.metric);
        nested.number("percentile", term.percentile);
        nested.number("limit_ms", term.limitMs);
        if (term.percentile <= 0 || term.percentile > 100)
            nested.reject("percentile", "a number above 0 and at most 100");
        if (term.limitMs <= 0)
            nested.reject("limit_ms", "a number of milliseconds above 0");
        fields.adopt(nested);
        scenario.sla.push_back(std::move(term));
    }
}

void readGuardrails(Fields &fields, Scenario &scenario) {
    const json *rails = fields.array("guardrails");
    if (rails == nullptr)
        return;
    for (std::size_t i = 0; i < rails->size(); ++i) {
        Guardrail rail;
        Fields nested((*rails)[i], "guardrails[" + std::to_string(i) + "]", fields.origin());
        nested.text("metric", rail.metric);
        nested.text("slice", rail.slice);
        nested.number("min", rail.min);
        nested.number("max", rail.max);
        if (rail.metric.empty())
            nested.reject("metric", "the name of a quality metric");
        if (!rail.min && !rail.max)
            nested.reject("min", "a number, or \"max\" must be given");
        fields.adopt(nested);
        scenario.guardrails.push_back(std::move(rail));
    }
}

void readDomains(Fields &fields, Scenario &scenario) {
    const json *domains = fields.object("domains");
    if (domains == nullptr)
        return;
    Fields nested(*domains, "domains", fields.origin());
    for (const char *key : {"accelerator", "host", "memory", "rest"}) {
        std::vector<std::string> names;
        nested.texts(key, names);
        if (!names.empty())
            scenario.domains[key] = std::move(names);
    }
    fields.adopt(nested);
}

void readFloors(Fields &fields, Scenario &scenario) {
    const json *floors = fields.object("idle_floor_w");
    if (floors == nullptr)
        return;
    for (const auto &[device, watts] : floors->items()) {
        if (!watts.is_number() || watts.get<double>() < 0)
            return fields.reject("idle_floor_w." + device, "a number of watts");
        scenario.idleFloorW[device] = watts.get<double>();
    }
}

void readSpecs(Fields &fields, Scenario &scenario) {
    const json *specs = fields.object("device_specs");
    if (specs == nullptr)
        return;
    for (const auto &[device, spec] : specs->items()) {
        if (!spec.is_string())
            return fields.reject("device_specs." + device, "the name of a device");
        scenario.deviceSpecs[device] = spec.get<std::string>();
    }
}

void readSustained(Fields &fields, Scenario &scenario) {
    const json *sustained = fields.object("sustained");
    if (sustained == nullptr)
        return;
    Fields nested(*sustained, "sustained", fields.origin());
    nested.text("mode", scenario.sustainedMode);
    if (scenario.sustainedMode != "auto" && scenario.sustainedMode != "all")
        nested.reject("mode", "\"auto\" or \"all\"");
    fields.adopt(nested);
}

json unitJson(const Scenario &scenario) {
    json unit = json::object();
    if (!scenario.unitName.empty())
        unit["name"] = scenario.unitName;
    if (!scenario.unitSlices.empty())
        unit["slices"] = scenario.unitSlices;
    if (scenario.unitAmount)
        unit["amount"] = *scenario.unitAmount;
    else if (!scenario.unitAmountArgument.empty())
        unit["amount"] = scenario.unitAmountArgument;
    return unit;
}

json slaJson(const std::vector<SlaTerm> &terms) {
    json list = json::array();
    for (const SlaTerm &term : terms)
        list.push_back({{"metric", term.metric}, {"percentile", term.percentile}, {"limit_ms", term.limitMs}});
    return list;
}

json guardrailJson(const std::vector<Guardrail> &rails) {
    json list = json::array();
    for (const Guardrail &rail : rails) {
        json item = {{"metric", rail.metric}, {"slice", rail.slice}};
        if (rail.min)
            item["min"] = *rail.min;
        if (rail.max)
            item["max"] = *rail.max;
        list.push_back(std::move(item));
    }
    return list;
}

void putText(json &out, const char *key, const std::string &value) {
    if (!value.empty())
        out[key] = value;
}

template <class Container>
void putAll(json &out, const char *key, const Container &values) {
    if (!values.empty())
        out[key] = values;
}

}  // namespace

Expected<Scenario> parseScenario(const std::string &text, const std::string &origin) {
    const json document = json::parse(text, nullptr, false);
    if (document.is_discarded())
        return failure("the scenario is not valid JSON", origin, "check it with a JSON validator");
    Scenario scenario;
    Fields fields(document, {}, origin);
    fields.text("name", scenario.name);
    fields.text("workload", scenario.workload);
    fields.text("declared_precision", scenario.declaredPrecision);
    readUnit(fields, scenario);
    readSla(fields, scenario);
    fields.number("window_s", scenario.windowSeconds);
    if (scenario.windowSeconds && !(*scenario.windowSeconds > 0))
        fields.reject("window_s", "a number of seconds above 0");
    readSustained(fields, scenario);
    readDomains(fields, scenario);
    readFloors(fields, scenario);
    readSpecs(fields, scenario);
    fields.number("budget_j_per_unit", scenario.budgetJPerUnit);
    fields.texts("production_shapes", scenario.productionShapes);
    readGuardrails(fields, scenario);
    fields.object("detected");  // what an earlier analysis found: printed, never read back as an input
    if (const Status status = fields.finish(); !status)
        return tl::unexpected<Error>(status.error());
    return scenario;
}

json toJson(const Scenario &scenario) {
    json out = json::object();
    putText(out, "name", scenario.name);
    putText(out, "workload", scenario.workload);
    putText(out, "declared_precision", scenario.declaredPrecision);
    if (json unit = unitJson(scenario); !unit.empty())
        out["unit"] = std::move(unit);
    if (!scenario.sla.empty())
        out["sla"] = slaJson(scenario.sla);
    if (scenario.windowSeconds)
        out["window_s"] = *scenario.windowSeconds;
    out["sustained"] = {{"mode", scenario.sustainedMode}};
    putAll(out, "domains", scenario.domains);
    putAll(out, "idle_floor_w", scenario.idleFloorW);
    putAll(out, "device_specs", scenario.deviceSpecs);
    if (scenario.budgetJPerUnit)
        out["budget_j_per_unit"] = *scenario.budgetJPerUnit;
    putAll(out, "production_shapes", scenario.productionShapes);
    if (!scenario.guardrails.empty())
        out["guardrails"] = guardrailJson(scenario.guardrails);
    putAll(out, "detected", scenario.detected);
    return out;
}

}  // namespace wattproof::analysis
