// The power log as `nvidia-smi --query-gpu=… --format=csv -lms 50` prints it on a host whose zone is UTC.
#include "tests/simulator/json_text.h"
#include "tests/simulator/simulator.h"

#include <cstdio>
#include <ostream>

namespace wattproof::simulator {

namespace {

constexpr const char *kHeader =
    "timestamp, index, name, pstate, temperature.gpu, utilization.gpu [%], clocks.current.sm [MHz], clocks.max.sm "
    "[MHz], "
    "power.draw [W], power.limit [W], clocks_event_reasons.active\n";

struct Date {
    std::int64_t year;
    int month, day;
};

// Proleptic Gregorian date of a day number since 1970-01-01 (Howard Hinnant's "chrono-compatible date
// algorithms").
Date dateOf(std::int64_t day) {
    const std::int64_t shifted = day + 719468;
    const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const std::int64_t dayOfEra = shifted - era * 146097;
    const std::int64_t yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
    const std::int64_t dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    const std::int64_t monthFromMarch = (5 * dayOfYear + 2) / 153;
    const auto dayOfMonth = static_cast<int>(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1);
    const auto month = static_cast<int>(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9);
    return {yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth};
}

void appendTimestamp(std::string &out, Ns epoch) {
    constexpr Ns kDay = 86'400'000'000'000, kMillisecond = 1'000'000;
    const Date date = dateOf(epoch / kDay);
    const auto ms = static_cast<int>(epoch % kDay / kMillisecond);
    char text[48];
    std::snprintf(text, sizeof text, "%04d/%02d/%02d %02d:%02d:%02d.%03d", static_cast<int>(date.year), date.month,
                  date.day, ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60, ms % 1000);
    out += text;
}

std::string rowOf(const Simulation &simulation, const PowerSample &sample) {
    std::string row;
    appendTimestamp(row, simulation.config.epoch + sample.ts);
    row += ", 0, " + simulation.config.deviceName + " (simulated), P0, " + std::to_string(sample.temperatureC) +
           ", " + std::to_string(sample.utilisation) + " %, " + std::to_string(sample.clockMHz) + " MHz, ";
    appendInteger(row, static_cast<std::int64_t>(simulation.config.power.maximumClockMHz));
    row += " MHz, ";
    if (sample.watts) {
        appendFixed(row, *sample.watts, 2);
        row += " W, ";
    } else {
        row += "[N/A], ";
    }
    appendFixed(row, simulation.power.limitW, 2);
    char mask[24];
    std::snprintf(mask, sizeof mask, "0x%016llX", static_cast<unsigned long long>(sample.reasons));
    return row + " W, " + mask + "\n";
}

}  // namespace

void writeNvidiaSmiCsv(const Simulation &simulation, std::ostream &out) {
    out << kHeader;
    for (const PowerSample &sample : simulation.power.samples)
        out << rowOf(simulation, sample);
}

}  // namespace wattproof::simulator
