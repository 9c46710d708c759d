#include "store/sensor_json.h"

#include <nlohmann/json.hpp>

namespace wattproof::store {

std::string sensorToJson(const Sensor &sensor) {
    nlohmann::ordered_json json;
    json["kind"] = sensor.modelled ? "modelled" : "measured";
    if (sensor.period != 0)
        json["period_ns"] = sensor.period;
    if (sensor.window != 0)
        json["window_ns"] = sensor.window;
    if (sensor.lag != 0)
        json["lag_ns"] = sensor.lag;
    if (sensor.duty != 1.0)
        json["duty"] = sensor.duty;
    if (sensor.quantum != 0.0)
        json["quantum"] = sensor.quantum;
    if (!sensor.note.empty())
        json["note"] = sensor.note;
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Sensor sensorFromJson(std::string_view text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    Sensor sensor;
    if (!json.is_object())
        return sensor;
    const auto number = [&](const char *key, auto &target) {
        const auto it = json.find(key);
        if (it != json.end() && it->is_number())
            target = it->get<std::decay_t<decltype(target)>>();
    };
    number("period_ns", sensor.period);
    number("window_ns", sensor.window);
    number("lag_ns", sensor.lag);
    number("duty", sensor.duty);
    number("quantum", sensor.quantum);
    const auto textOf = [&](const char *key) {
        const auto it = json.find(key);
        return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    sensor.modelled = textOf("kind") == "modelled";
    sensor.note = textOf("note");
    return sensor;
}

}  // namespace wattproof::store
