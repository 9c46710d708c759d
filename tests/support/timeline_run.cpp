#include "tests/support/timeline_run.h"

#include "tests/support/temporary_workspace.h"

#include <string>

namespace wattproof::test {
namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;

TrackRow trackOf(SourceId source, TrackKind kind, const std::string &name) {
    TrackRow track;
    track.source = source;
    track.kind = kind;
    track.name = name;
    return track;
}

void writeHost(store::BulkWriter &writer, TimelineRun &run) {
    std::vector<SliceRow> slices{sliceAt(0, 100 * kMs, writer.intern("train_step"), 0),
                                 sliceAt(10 * kMs, 20 * kMs, writer.intern(kHostileName), 1),
                                 sliceAt(12 * kMs, 3 * kMs, writer.intern("cudaLaunchKernel"), 2),
                                 sliceAt(25 * kMs, 15 * kMs, writer.intern("overlapping"), 3),
                                 sliceAt(60 * kMs, 0, writer.intern("mark"), 1)};
    slices[1].depth = 1;
    slices[2].depth = 2;
    slices[3].lane = 1;
    slices[4].kind = SliceKind::Instant;
    require(writer.writeTrackSlices(run.host, slices, std::vector<std::int32_t>{-1, 0, 1, -1, 0}));
    run.step = slices[0].id;
    run.launch = slices[2].id;
}

GpuOpRow opOf(const TimelineRun &run, const SliceRow &slice, GpuActivity activity, const char *stream) {
    GpuOpRow op;
    op.slice = slice.id;
    op.activity = activity;
    op.device = run.gpu;
    op.stream = stream;
    return op;
}

void writeStreams(store::BulkWriter &writer, TimelineRun &run) {
    const StringId gemm = writer.intern("void cutlass::Kernel<cutlass_80_tensorop_bf16_gemm>(Params)");
    const StringId small = writer.intern("elementwise_kernel"), nccl = writer.intern("ncclDevKernel_AllReduce");
    const StringId copy = writer.intern("Memcpy HtoD");
    writer.classifyName(gemm, "gemm", "bf16");
    writer.classifyName(small, "elementwise", "");
    writer.classifyName(nccl, "communication", "");
    writer.classifyName(copy, "copy", "");
    std::vector<SliceRow> slices{sliceAt(20 * kMs, 30 * kMs, gemm), sliceAt(65 * kMs, 5 * kMs, copy)};
    for (int i = 0; i < 500; ++i)
        slices.push_back(sliceAt(70 * kMs + i * 2000, 1000, small));
    require(writer.writeTrackSlices(run.stream7, slices, std::vector<std::int32_t>(slices.size(), -1)));
    run.gemm = slices[0].id;
    std::vector<SliceRow> other{sliceAt(45 * kMs, 15 * kMs, nccl)};
    require(writer.writeTrackSlices(run.stream20, other, std::vector<std::int32_t>{-1}));
    std::vector<GpuOpRow> ops;
    for (std::size_t i = 0; i < slices.size(); ++i)
        ops.push_back(opOf(run, slices[i], i == 1 ? GpuActivity::Memcpy : GpuActivity::Kernel, "7"));
    ops[0].launch = run.launch;
    ops.push_back(opOf(run, other[0], GpuActivity::Kernel, "20"));
    require(writer.writeGpuOps(ops));
    require(writer.writeFlows(std::vector{FlowRow{{}, run.launch, run.gemm, writer.intern("ac2g"), {}}}));
}

void writeTrace(store::BulkWriter &writer, TimelineRun &run) {
    SourceRow row = traceSource(kBase);
    row.path = "/data/run/train.json.gz";
    const SourceId source = require(writer.addSource(row));
    DeviceRow gpu;
    gpu.source = source;
    gpu.name = "GPU 0";
    gpu.model = "Test accelerator";
    gpu.nativeId = "0";
    run.gpu = writer.addDevice(gpu);
    const ProcessId process = writer.addProcess({{}, source, "4242", "python", "", std::nullopt});
    const ThreadId thread = writer.addThread({{}, source, process, "4243", "main", std::nullopt});
    TrackRow host = trackOf(source, TrackKind::Thread, "main");
    host.process = process;
    host.thread = thread;
    run.host = writer.addTrack(host);
    for (const auto &[stream, id] : {std::pair("20", &run.stream20), std::pair("7", &run.stream7)}) {
        TrackRow track = trackOf(source, TrackKind::GpuStream, std::string("stream ") + stream);
        track.device = run.gpu;
        track.stream = stream;
        *id = writer.addTrack(track);
    }
    CounterRow counter;
    counter.source = source;
    counter.name = "allocated";
    counter.unit = "B";
    const CounterId allocated = writer.addCounter(counter);
    writeHost(writer, run);
    writeStreams(writer, run);
    require(
        writer.writeSamples(allocated, std::vector{Sample{0, 1e6}, Sample{40 * kMs, 3e6}, Sample{80 * kMs, 2e6}}));
    require(writer.finishSource(source));
}

CounterId addChannel(store::BulkWriter &writer, SourceId source, DeviceId device, const char *quantity,
                     const char *unit) {
    CounterRow counter;
    counter.source = source;
    counter.device = device;
    counter.name = quantity;
    counter.quantity = quantity;
    counter.unit = unit;
    return writer.addCounter(counter);
}

// Times count from the log's base, 20 ms before the trace's.
std::vector<Sample> series(double low, double high) {
    std::vector<Sample> samples;
    for (Ns t = 0; t <= 140; t += 5)
        if (t <= 80 || t >= 120)
            samples.push_back({t * kMs, t >= 40 && t < 90 ? high : low});
    return samples;
}

void writeLog(store::BulkWriter &writer, TimelineRun &run) {
    SourceRow row = traceSource(kBase - 20 * kMs, "bb");
    row.kind = SourceKind::Power;
    row.path = "/data/run/power.csv";
    const SourceId source = require(writer.addSource(row));
    DeviceRow gpu;
    gpu.source = source;
    gpu.name = "GPU 0";
    gpu.nativeId = "0";
    run.logGpu = writer.addDevice(gpu);
    run.power = addChannel(writer, source, run.logGpu, "power", "W");
    run.temperature = addChannel(writer, source, run.logGpu, "temperature", "degC");
    run.clock = addChannel(writer, source, run.logGpu, "clock", "Hz");
    const CounterId limit = addChannel(writer, source, run.logGpu, "limit", "W");
    require(writer.writeSamples(run.power, series(60, 280)));
    require(writer.writeSamples(run.temperature, series(40, 71)));
    require(writer.writeSamples(run.clock, series(1.2e9, 1.98e9)));
    require(writer.writeSamples(limit, series(300, 300)));
    require(writer.finishSource(source));
}

}  // namespace

TimelineRun timelineRun(store::BulkWriter &writer) {
    TimelineRun run;
    writeTrace(writer, run);
    writeLog(writer, run);
    return run;
}

}  // namespace wattproof::test
