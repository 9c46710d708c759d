#include "tests/benchmarks/telemetry_day.h"

#include "store/bulk_writer.h"
#include "store/workspace.h"

#include <cstdint>
#include <cstdio>
#include <vector>

namespace wattproof::bench {
namespace {

constexpr int kDevices = 8, kPerHour = 36'000;
constexpr Ns kPeriod = 100'000'000;

struct Shape {
    const char *name, *quantity, *unit, *domain;
    double low, high;
};

constexpr Shape kShapes[] = {{"power.draw", "power", "W", "board", 90, 690},
                             {"temperature.gpu", "temperature", "degC", "gpu", 35, 84},
                             {"temperature.memory", "temperature", "degC", "memory", 40, 95},
                             {"clocks.current.sm", "clock", "Hz", "sm", 3.3e8, 1.98e9},
                             {"clocks.current.memory", "clock", "Hz", "memory", 2.6e9, 2.6e9},
                             {"utilization.gpu", "utilisation", "1", "gpu", 0, 1},
                             {"power.limit", "limit", "W", "board", 700, 700},
                             {"clocks_event_reasons.active", "throttle", "1", "gpu", 0, 4}};

// Bursts of minutes with noise on them; the numbers need only look like a log and repeat exactly.
std::vector<Sample> samplesOf(const Shape &shape, int device, int count) {
    std::vector<Sample> samples;
    samples.reserve(static_cast<std::size_t>(count));
    std::uint32_t noise = 12345U + static_cast<std::uint32_t>(device);
    const bool flags = shape.quantity[0] == 't' && shape.quantity[1] == 'h';
    for (int i = 0; i < count; ++i) {
        noise = noise * 1664525U + 1013904223U;
        if (i % 400'000 > 300'000 && i % 400'000 < 300'600)
            continue;  // a minute without readings
        const bool busy = (i / 2400 + device) % 5 != 0;
        const double ripple = static_cast<double>(noise >> 8) / static_cast<double>(1U << 24);
        double value = shape.low + (shape.high - shape.low) * (busy ? 0.75 + 0.25 * ripple : 0.02 * ripple);
        if (flags)
            value = busy ? (i / 300 % 7 == 0 ? 4 : 0) : 1;
        samples.push_back({i * kPeriod, value});
    }
    return samples;
}

bool said(const Status &status) {
    if (!status)
        std::fprintf(stderr, "%s\n", status.error().sentence().c_str());
    return status.has_value();
}

bool writeDevice(store::BulkWriter &writer, SourceId source, int index, int count) {
    DeviceRow device;
    device.source = source;
    device.name = "GPU " + std::to_string(index);
    device.nativeId = std::to_string(index);
    const DeviceId id = writer.addDevice(device);
    for (const Shape &shape : kShapes) {
        CounterRow counter;
        counter.source = source;
        counter.device = id;
        counter.name = shape.name;
        counter.quantity = shape.quantity;
        counter.unit = shape.unit;
        counter.domain = shape.domain;
        if (counter.quantity == "throttle") {
            counter.kind = CounterKind::Flags;
            counter.flagTable = "nvml";
        }
        if (!said(writer.writeSamples(writer.addCounter(counter), samplesOf(shape, index, count))))
            return false;
    }
    return true;
}

}  // namespace

bool writeTelemetryDay(const std::string &path, int hours) {
    auto writer = store::createWorkspace(path);
    if (!writer) {
        std::fprintf(stderr, "%s\n", writer.error().sentence().c_str());
        return false;
    }
    SourceRow row;
    row.kind = SourceKind::Power;
    row.path = "day.csv";
    row.format = "nvidia-smi-csv";
    row.sha256 = "day";
    row.clock = ClockBasis::Epoch;
    row.statedBase = 1'700'000'000'000'000'000;
    const auto source = (*writer)->addSource(row);
    if (!source)
        return false;
    for (int device = 0; device < kDevices; ++device)
        if (!writeDevice(**writer, *source, device, hours * kPerHour))
            return false;
    return said((*writer)->finishSource(*source)) && said((*writer)->commit());
}

}  // namespace wattproof::bench
