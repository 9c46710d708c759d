// A log of two GPUs and a host package with its cores, made through the BulkWriter: for the overlay and the
// numbers of its channels.
#pragma once

#include "store/bulk_writer.h"
#include "tests/support/temporary_workspace.h"
#include "tests/support/timeline_run.h"

#include <vector>

namespace wattproof::test {

struct PowerRun {
    DeviceId gpu0, gpu1, package;
    CounterId power0, power1, instant0, packagePower, coresPower, temperature0, mask0, dramEnergy;
};

inline CounterId powerChannel(store::BulkWriter &writer, SourceId source, DeviceId device, const char *name,
                              const char *quantity, const char *unit, CounterRow row = {}) {
    row.source = source;
    row.device = device;
    row.name = name;
    row.quantity = quantity;
    row.unit = unit;
    return writer.addCounter(row);
}

inline std::vector<Sample> every100ms(int count, double (*value)(int)) {
    std::vector<Sample> samples;
    for (int i = 0; i < count; ++i)
        samples.push_back({i * 100 * kMs, value(i)});
    return samples;
}

// 20 s at 10 Hz. GPU 0: 100 W and 10 W of ripple, frozen at 123.45 W from 5 to 9 s while its load goes from
// nothing to all; a gap from 12 to 14 s; capped by power from 15 to 17 s, idle in the first second. GPU 1: 200 W.
// Package: 90 W, its cores 60 W; dram: an energy counter of 20 W. Limit 300 W, slowdown at 90 °C. The sensor of
// GPU 0 is stated.
inline PowerRun powerRun(store::BulkWriter &writer) {
    PowerRun run;
    SourceRow row = traceSource(1'700'000'000'000'000'000, "cc");
    row.kind = SourceKind::Power;
    row.path = "/data/run/power.csv";
    const SourceId source = require(writer.addSource(row));
    const auto device = [&](const char *name, DeviceKind kind) {
        DeviceRow made;
        made.source = source;
        made.name = made.nativeId = name;
        made.kind = kind;
        return writer.addDevice(made);
    };
    run.gpu0 = device("GPU 0", DeviceKind::Gpu);
    run.gpu1 = device("GPU 1", DeviceKind::Gpu);
    run.package = device("package-0", DeviceKind::Cpu);
    CounterRow sensed;
    sensed.domain = "board";
    sensed.sensor = {100 * kMs, 1000 * kMs, 0, 1, 0.01, false, "The value is the mean of the last second."};
    run.power0 = powerChannel(writer, source, run.gpu0, "power.draw", "power", "W", sensed);
    sensed.parent = run.power0;
    run.instant0 = powerChannel(writer, source, run.gpu0, "power.draw.instant", "power", "W", sensed);
    CounterRow board;
    board.domain = "board";
    run.power1 = powerChannel(writer, source, run.gpu1, "power.draw", "power", "W", board);
    CounterRow package;
    package.domain = "package";
    run.packagePower = powerChannel(writer, source, run.package, "package", "power", "W", package);
    CounterRow cores;
    cores.domain = "cores";
    cores.parent = run.packagePower;
    run.coresPower = powerChannel(writer, source, run.package, "cores", "power", "W", cores);
    CounterRow dram;
    dram.domain = "dram";
    dram.kind = CounterKind::Counter;
    dram.modulus = 262144;
    run.dramEnergy = powerChannel(writer, source, run.package, "dram", "energy", "J", dram);
    run.temperature0 = powerChannel(writer, source, run.gpu0, "temperature.gpu", "temperature", "degC");
    CounterRow flags;
    flags.kind = CounterKind::Flags;
    flags.flagTable = "nvml";
    run.mask0 = powerChannel(writer, source, run.gpu0, "clocks_event_reasons.active", "throttle", "1", flags);
    const CounterId load = powerChannel(writer, source, run.gpu0, "utilization.gpu", "utilisation", "1");
    const CounterId limit = powerChannel(writer, source, run.gpu0, "power.limit", "limit", "W");
    const CounterId slowdown = powerChannel(writer, source, run.gpu0, "slowdown", "limit", "degC");
    const auto withGap = [](std::vector<Sample> samples) {
        std::erase_if(samples, [](const Sample &s) { return s.ts > 12000 * kMs && s.ts < 14000 * kMs; });
        return samples;
    };
    const auto watts = every100ms(200, [](int i) { return i >= 50 && i < 90 ? 123.45 : 100 + 10.5 * (i % 2); });
    require(writer.writeSamples(run.power0, withGap(watts)));
    require(writer.writeSamples(run.instant0, withGap(watts)));
    require(writer.writeSamples(run.power1, every100ms(200, [](int i) { return 200 + 0.25 * (i % 3); })));
    require(writer.writeSamples(run.packagePower, every100ms(200, [](int i) { return 90 + 0.5 * (i % 2); })));
    require(writer.writeSamples(run.coresPower, every100ms(200, [](int i) { return 60 + 0.5 * (i % 2); })));
    require(writer.writeSamples(run.dramEnergy, every100ms(200, [](int i) { return 2.0 * i; })));
    require(writer.writeSamples(run.temperature0, every100ms(200, [](int i) { return 40 + i / 10.0; })));
    require(writer.writeSamples(run.mask0, every100ms(200, [](int i) {
                                    return i < 10 ? 1.0 : i >= 150 && i < 170 ? 4.0 : 0.0;
                                })));
    require(writer.writeSamples(load, every100ms(200, [](int i) { return i >= 60 && i < 70 ? 1.0 : 0.0; })));
    require(writer.writeSamples(limit, every100ms(200, [](int) { return 300.0; })));
    require(writer.writeSamples(slowdown, every100ms(200, [](int) { return 90.0; })));
    writer.addWarning({source, "frozen_sensor", 1, "line 52", "power.draw of GPU 0 stands still"});
    require(writer.finishSource(source));
    return run;
}

}  // namespace wattproof::test
