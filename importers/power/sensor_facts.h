// What is known of the sensors behind the fields of power logs: update period, averaging window, duty. The facts
// stand in resources/power/sensors.json; docs/formats.md says where each comes from.
#pragma once

#include "store/result.h"
#include "store/rows.h"

#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

class SensorFacts {
public:
    [[nodiscard]] static Expected<SensorFacts> load();
    [[nodiscard]] static Expected<SensorFacts> parse(std::string_view json, const std::string &file);

    // The first entry whose field fits and one of whose words stands in the model; an entry without words fits any
    // model. model may be empty: unknown.
    [[nodiscard]] Sensor find(std::string_view model, std::string_view field) const;

private:
    struct Fact {
        std::vector<std::string> models, fields;
        Sensor sensor;
    };
    std::vector<Fact> facts_;
};

}  // namespace wattproof::importers
