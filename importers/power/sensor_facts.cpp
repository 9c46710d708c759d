#include "importers/power/sensor_facts.h"

#include "importers/power/json_fields.h"
#include "importers/table/table_reader.h"
#include "resources/embedded.h"

#include <algorithm>
#include <cmath>

namespace wattproof::importers {
namespace {

constexpr const char *kPath = "power/sensors.json";

bool wordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// Whether a word stands in a text on its own: "a10" is not in "nvidia a100".
bool containsWord(const std::string &text, const std::string &word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !wordCharacter(text[at - 1])) && (end == text.size() || !wordCharacter(text[end])))
            return true;
    }
    return false;
}

Ns milliseconds(JsonFields &fields, const char *key) {
    const double value = fields.number(key).value_or(0);
    if (value < 0 || value > 1e9)
        fields.fail(key, "a number of milliseconds, not below 0");
    return static_cast<Ns>(std::llround(value * 1e6));
}

}  // namespace

Expected<SensorFacts> SensorFacts::load() {
    for (const resources::File &file : resources::load("power/"))
        if (file.path == kPath)
            return parse(file.content, file.origin == "built in" ? file.path : file.origin);
    return SensorFacts();
}

Expected<SensorFacts> SensorFacts::parse(std::string_view text, const std::string &file) {
    Expected<nlohmann::json> document = parseJson(text, file);
    if (!document)
        return passOn(document);
    std::optional<Error> error;
    JsonFields root(*document, file, "", error);
    SensorFacts result;
    root.require("sensors", "an array of objects");
    for (JsonFields fields : root.objects("sensors")) {
        Fact fact;
        for (const std::string &word : fields.texts("models"))
            fact.models.push_back(lowered(word));
        fact.fields = fields.texts("fields");
        fact.sensor.period = milliseconds(fields, "period_ms");
        fact.sensor.window = milliseconds(fields, "window_ms");
        fact.sensor.lag = milliseconds(fields, "lag_ms");
        fact.sensor.duty = fields.number("duty").value_or(1.0);
        fact.sensor.quantum = fields.number("quantum").value_or(0.0);
        fact.sensor.modelled = fields.flag("modelled", false);
        fact.sensor.note = fields.text("note");
        fields.require("fields", "an array of strings");
        fields.rejectUnknownKeys();
        result.facts_.push_back(std::move(fact));
    }
    root.rejectUnknownKeys();
    if (error)
        return tl::unexpected<Error>(std::move(*error));
    return result;
}

Sensor SensorFacts::find(std::string_view model, std::string_view field) const {
    const std::string text = lowered(model);
    for (const Fact &fact : facts_) {
        const bool fieldFits = std::find(fact.fields.begin(), fact.fields.end(), field) != fact.fields.end();
        const bool modelFits =
            fact.models.empty() || std::any_of(fact.models.begin(), fact.models.end(),
                                               [&](const std::string &word) { return containsWord(text, word); });
        if (fieldFits && modelFits)
            return fact.sensor;
    }
    return {};
}

}  // namespace wattproof::importers
