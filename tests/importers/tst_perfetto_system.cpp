// The shared Perfetto cases about the machine: scheduling, processes, frequencies, power, GPUs. Rows are compared
// with upstream's; where ours say the same otherwise (units, names), the adapter below turns them.
#include "importers/perfetto/system_gpu.h"
#include "tests/support/perfetto_case.h"
#include "tests/support/shared_files.h"

#include <algorithm>

#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace wattproof;
using Json = nlohmann::json;
using test::FactRow;

class PerfettoSystemTest : public QObject {
    Q_OBJECT

private slots:
    void upstreamCase_data();
    void upstreamCase();
    void railsAreEnergyOfDevices();
    void estimatesAreNotAddedToRails();
    void batteryDrawIsPower();
    void gpuUnits();
    void unknownEventsAreCounted();
    void corpusSched();
    void corpusGpuCounters();
};

namespace {

Json readJson(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString(), nullptr, false) : Json();
}

Ns baseOf(const test::ImportedTrace &trace) {
    const std::string stated = trace.writer->metadataValue("trace_clock_base_ns");
    return stated.empty() ? trace.base() : std::stoll(stated);
}

std::string joined(const std::vector<std::string> &sentences) {
    std::string all;
    for (const std::string &each : sentences)
        all += each + "\n";
    return all;
}

Json numberAfter(const std::string &text, const std::string &word) {
    const std::size_t at = text.find(word);
    return at == std::string::npos ? Json() : Json(std::stoll(text.substr(at + word.size())));
}

Json argumentOf(const test::RecordingWriter &writer, const SliceRow &slice, const std::string &key) {
    const auto text = writer.argument(slice, key);
    return text ? Json::parse(*text) : Json();
}

std::vector<FactRow> schedRows(const test::ImportedTrace &trace) {
    const test::RecordingWriter &writer = *trace.writer;
    std::vector<FactRow> rows;
    for (const SliceRow &slice : writer.slices) {
        const TrackRow &track = writer.track(slice.track);
        if (track.kind != TrackKind::Cpu)
            continue;
        rows.push_back({{"ts_ns", slice.ts + baseOf(trace)},
                        {"dur_ns", slice.state == SliceState::Unfinished ? Json(-1) : Json(slice.dur)},
                        {"cpu", numberAfter(track.name, "CPU ")},
                        {"tid", argumentOf(writer, slice, "tid")},
                        {"thread_name", writer.text(slice.name)},
                        {"priority", argumentOf(writer, slice, "priority")},
                        {"end_state", argumentOf(writer, slice, "end_state")}});
    }
    return rows;
}

// Slices with the arguments that a fact names as columns; with no argument for a path, one row of nulls.
std::vector<FactRow> sliceRowsWithArguments(const test::ImportedTrace &trace, const Json &columns) {
    const test::RecordingWriter &writer = *trace.writer;
    auto rows = test::sliceRows(trace);
    std::vector<FactRow> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SliceRow &slice = writer.slices[i];
        for (const Json &column : columns) {
            const Json value = argumentOf(writer, slice, column.get<std::string>());
            const std::string name = column;
            const bool handle = name.ends_with("_id") || name == "render_target" || name == "render_pass" ||
                                name == "command_buffer";
            if (!value.is_null())
                rows[i][name] = value;
            else if (rows[i].count(name) == 0)
                rows[i][name] = handle ? Json(0) : Json();
        }
        all.push_back(rows[i]);
        rows[i]["arg_flat_path"] = Json();
        rows[i]["arg_string"] = Json();
        all.push_back(rows[i]);
        if (!slice.args.valid())
            continue;
        const auto &set = writer.args.at(static_cast<std::size_t>(slice.args.value - 1));
        const Json keys = Json::parse(writer.shapes.at(static_cast<std::size_t>(set.shape - 1)));
        const Json values = Json::parse(set.values);
        for (std::size_t k = 0; k < keys.size(); ++k) {
            rows[i]["arg_flat_path"] = keys[k];
            rows[i]["arg_string"] = values[k];
            all.push_back(rows[i]);
        }
    }
    return all;
}

const CounterRow *counterNamed(const test::ImportedTrace &trace, const Json &name) {
    return name.is_string() ? trace.writer->findCounter(name.get<std::string>()) : nullptr;
}

// Counters in upstream's units and names.
std::vector<FactRow> systemCounterRows(const test::ImportedTrace &trace, const std::string &name) {
    std::vector<FactRow> rows;
    for (FactRow row : test::counterRows(trace)) {
        const double value = row["value"];
        const std::string own = row["counter_name"].is_string() ? row["counter_name"].get<std::string>() : "";
        row["machine"] = own.find("(machine ") == std::string::npos ? 0 : 1;
        row["cpu"] = numberAfter(own, "CPU ");
        row["gpu"] = numberAfter(own, "GPU ");
        row["value_khz"] = value / 1000;
        row["value_us"] = value * 1e6;
        row["value_ms"] = value * 1000;
        row["energy_uws"] = value * 1e6;
        row["charge_uah"] = value / 3600 * 1e6;
        row["time_since_boot_ns"] = value * 1e9;
        row["counter_type"] = own.starts_with("battery_stats.")            ? "battery_stats"
                              : own.find("GPU") != std::string::npos       ? "gpu_frequency"
                              : own.find("frequency") != std::string::npos ? "cpu_frequency"
                                                                           : "";
        if (const std::size_t in = own.find(" in "); in != std::string::npos)
            row["idle_state"] = own.substr(in + 4);
        if (const std::size_t is = own.find(" is "); own.starts_with("Entity residency: ")) {
            row["entity"] = own.substr(18, is - 18);
            row["state"] = own.substr(is + 4);
        }
        row["counter"] = "Cpu " + (row["cpu"].is_null() ? "" : row["cpu"].dump()) +
                         (own.find("highest") != std::string::npos ? " Max" : " Min");
        if (name == "ss_thermal_zones")
            row["counter_name"] = own.substr(0, own.find(" temperature"));
        else if (name == "gpu_frequency_event")
            row["counter_name"] = "gpufreq";
        else if (name == "gk_cpu_freq")
            row["counter_name"] = "cpufreq";
        else if (name == "gpu_mem_total")
            row["counter_name"] = "GPU Memory";
        else if (name == "ct_where_cpu") {
            row["value"] = value / 1000;
            row["dur_to_next_ns"] = row["ts_ns"] == 1000 ? 1 : 0;
        } else if (name.starts_with("pw_rails")) {
            const CounterRow *rail = counterNamed(trace, row["counter_name"]);
            const bool isRail = rail && rail->quantity == "energy";
            row["counter_name"] = isRail ? "power." + rail->domain + "_uws" : own;
            row["value"] = isRail ? value * 1e6 : value;
        } else if (own.starts_with("runtime.")) {
            row["counter_name"] = own + "_ns";
            row["value"] = value * 1e9;
        }
        rows.push_back(row);
    }
    return rows;
}

// Upstream puts the value of a GPU counter at the start of the interval for which it holds; ours stands at its
// end, as the kind `mean` says.
std::vector<FactRow> gpuCounterRows(const test::ImportedTrace &trace) {
    std::vector<FactRow> rows;
    for (const CounterRow &counter : trace.writer->counters) {
        const auto &samples = trace.writer->samples.at(counter.id.value);
        const DeviceRow &device = trace.writer->devices.at(static_cast<std::size_t>(counter.device.value - 1));
        for (std::size_t i = 0; i < samples.size(); ++i)
            rows.push_back({{"ts_ns", samples[i].ts + baseOf(trace)},
                            {"value", i + 1 < samples.size() ? samples[i + 1].value : 0.0},
                            {"counter_name", counter.name},
                            {"gpu", std::stoll(device.nativeId)},
                            {"description", counter.sensor.note},
                            {"unit", counter.unit}});
    }
    return rows;
}

std::vector<FactRow> railRows(const test::ImportedTrace &trace) {
    std::vector<FactRow> rows;
    for (const CounterRow &counter : trace.writer->counters) {
        const DeviceRow &device = trace.writer->devices.at(static_cast<std::size_t>(counter.device.value - 1));
        std::string subsystem = device.name == "GPU 0" ? "gpu" : device.name == "CPU" ? "cpu" : device.name;
        rows.push_back({{"raw_rail_name", counter.domain}, {"subsystem", subsystem}});
    }
    return rows;
}

std::vector<FactRow> groupRows(const test::ImportedTrace &trace) {
    std::vector<FactRow> rows;
    for (const MetadataRow &row : trace.writer->metadata) {
        if (!row.key.starts_with("gpu_counter_group.") || !row.key.ends_with(".counters"))
            continue;
        const std::string key = row.key.substr(0, row.key.rfind('.'));
        const std::string name = trace.writer->metadataValue(key + ".name");
        const std::string description = trace.writer->metadataValue(key + ".description");
        for (std::size_t at = 0; at < row.value.size();) {
            const std::size_t end = std::min(row.value.find(", ", at), row.value.size());
            rows.push_back({{"group_id", std::stoll(key.substr(key.rfind('.') + 1))},
                            {"group_name", name.empty() ? Json() : Json(name)},
                            {"group_description", description.empty() ? Json() : Json(description)},
                            {"counter_name", row.value.substr(at, end - at)}});
            at = end + 2;
        }
    }
    return rows;
}

std::vector<FactRow> gpuRows(const test::ImportedTrace &trace) {
    std::vector<FactRow> rows;
    for (const DeviceRow &device : trace.writer->devices) {
        std::string uuid = device.uuid;
        uuid.erase(std::remove(uuid.begin(), uuid.end(), '-'), uuid.end());
        const auto meta = [&](const char *key) { return trace.writer->metadataValue(device.name + ' ' + key); };
        FactRow row = {{"gpu", std::stoll(device.nativeId)},
                       {"name", device.model},
                       {"vendor", meta("vendor")},
                       {"model", meta("model")},
                       {"architecture", meta("architecture")},
                       {"uuid", uuid.substr(3)},
                       {"pci_bdf", device.pci}};
        for (const char *key : {"driver_version", "memory_total_mb"}) {
            row["key"] = key;
            row["string_value"] = meta(key);
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<FactRow> processListRows(const test::ImportedTrace &trace) {
    std::vector<FactRow> rows;
    for (const ProcessRow &process : trace.writer->processes)
        rows.push_back({{"pid", std::stoll(process.pid)},
                        {"cmdline", process.name},
                        {"parent_pid", numberAfter(process.labels, "parent ")},
                        {"start_ns", numberAfter(process.labels, "started ")}});
    return rows;
}

std::vector<FactRow> rowsFor(const test::ImportedTrace &trace, const std::string &name, const Json &fact) {
    const std::string kind = fact["kind"];
    if (kind == "sched")
        return schedRows(trace);
    if (kind == "processes")
        return processListRows(trace);
    if (kind == "gpus")
        return gpuRows(trace);
    if (name == "gpu_counters")
        return gpuCounterRows(trace);
    if (name == "gpu_counter_groups")
        return groupRows(trace);
    if (name == "pw_rails_metadata")
        return railRows(trace);
    if (kind == "counters")
        return systemCounterRows(trace, name);
    if (kind == "slices" || (kind == "slice_args" && name == "gpu_compute_kernel")) {
        auto rows = sliceRowsWithArguments(trace, fact["columns"]);
        for (FactRow &row : rows) {
            // A kernel bears its own name, and that of its stage as an argument.
            if (name == "gpu_compute_kernel")
                row["slice_name"] = "Kernel";
            row["raw_print"] = row["slice_name"].is_string() ? "B|42|" + row["slice_name"].get<std::string>() : "";
        }
        return rows;
    }
    return test::rowsOfKind(trace, kind);
}

// What our views answer otherwise than upstream's tables, and why.
test::FactOptions optionsFor(const std::string &name, const std::string &kind) {
    test::FactOptions options;
    // The fact joins upstream's table of raw prints, which a workspace does not have, to slices. What it says of
    // the two other prints, that they make none, is tested in tst_perfetto_machines.
    if (name == "ft_crop_atrace")
        options.argued = {0, 2};
    // The calls run from 300 to 400 and from 600 to 700, the annotation from 350 to 650. Upstream cuts each call
    // where the annotation begins or ends. By rule 3 of the shared cases partly overlapping slices both stay,
    // exact: a call that took 100 ns is not shown as one of 50.
    if (name == "ft_sys_write_and_atrace")
        options.argued = {1, 3};
    // Upstream gives a thread that was destroyed the state "X" to the end of the trace. A thread that is no more
    // is in none of the states of the view, and "unknown" would claim that it is still there.
    if (name == "gk_sched_simple" && kind == "thread_states")
        options.argued = {1};
    // 170 to 250 on CPU 1 ran the idle task: that is when the processor ran nothing. Upstream has a slice for it
    // (tid 0); here it would count as busy time of the processor, so it is a gap.
    if (name == "synth_1")
        options.argued = {0};
    if (name == "gk_sched_simple" && kind == "thread_states")
        options.adapt = [](FactRow &row) { row["state"] = row["state"] == "running" ? "Running" : row["state"]; };
    if (name == "ct_process_runtime")
        options.ignored = {"process_start_ns", "cmdline"};  // of the view processes
    if (name == "pw_rails_ts_sort")
        options.ignored = {"packet_ts_ns"};  // the time of the reading is kept, not that of its transport
    if (name == "pw_rails_metadata")
        options.ignored = {"counter_name", "friendly_name"};  // rails keep the names that the maker gave them
    if (name == "gpu_render_stages")
        options.ignored = {"track_description"};
    if (name == "gpu_vulkan_api")
        options.ignored = {"command_buffer",   "cb0", "cb1", "cb2", "context_id",
                           "track_description"};  // a list here
    return options;
}

// Protobuf by hand: fields of a message, one behind the other.
std::string varint(std::uint64_t value) {
    std::string text;
    for (; value >= 0x80; value >>= 7U)
        text += static_cast<char>((value & 0x7fU) | 0x80U);
    return text += static_cast<char>(value);
}
std::string number(std::uint32_t field, std::uint64_t value) {
    return varint(field << 3U) + varint(value);
}
std::string bytes(std::uint32_t field, const std::string &value) {
    return varint((field << 3U) | 2U) + varint(value.size()) + value;
}
std::string packet(Ns ts, std::uint32_t field, const std::string &payload) {
    return bytes(1, number(8, static_cast<std::uint64_t>(ts)) + bytes(field, payload));
}

std::string rail(std::uint64_t index, const char *name, const char *subsystem) {
    return packet(1, 40, bytes(1, number(1, index) + bytes(2, name) + bytes(3, subsystem)));
}
std::string railReading(Ns ts, std::uint64_t index, std::uint64_t microJoules) {
    return packet(ts, 40, bytes(2, number(1, index) + number(3, microJoules)));
}

const std::string kEstimate =
    packet(5, 77, bytes(1, bytes(1, number(1, 3) + bytes(3, "OTHER") + bytes(4, "GPU")))) +
    packet(9, 77, number(2, 3) + number(3, 2'000'000));

const DeviceRow &deviceOf(const test::ImportedTrace &trace, const CounterRow &counter) {
    return trace.writer->devices.at(static_cast<std::size_t>(counter.device.value - 1));
}

}  // namespace

void PerfettoSystemTest::railsAreEnergyOfDevices() {
    const auto trace = test::importPerfettoBytes(rail(1, "S2S_VDD_G3D", "gpu") + rail(2, "BIG", "cpu") +
                                                 rail(3, "L1", "display") + railReading(10, 1, 1'500'000) +
                                                 railReading(20, 1, 2'500'000) + railReading(10, 2, 1) +
                                                 railReading(10, 3, 1) + railReading(10, 9, 1));
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    const CounterRow *gpu = trace.writer->findCounter("S2S_VDD_G3D");
    QVERIFY(gpu);
    QCOMPARE(gpu->unit, std::string("J"));
    QCOMPARE(gpu->quantity, std::string("energy"));
    QCOMPARE(gpu->kind, CounterKind::Counter);
    QCOMPARE(deviceOf(trace, *gpu).kind, DeviceKind::Gpu);
    QCOMPARE(trace.writer->samples.at(gpu->id.value).at(1).value, 2.5);
    QCOMPARE(deviceOf(trace, *trace.writer->findCounter("BIG")).kind, DeviceKind::Cpu);
    QCOMPARE(deviceOf(trace, *trace.writer->findCounter("L1")).kind, DeviceKind::Rail);
    QCOMPARE(trace.writer->warningCount("unknown_rail"), std::int64_t(1));
}

void PerfettoSystemTest::estimatesAreNotAddedToRails() {
    const auto alone = test::importPerfettoBytes(kEstimate);
    const CounterRow *energy = alone.writer->findCounter("GPU (estimated)");
    QVERIFY(energy && energy->sensor.modelled);
    QCOMPARE(energy->quantity, std::string("energy"));
    QCOMPARE(deviceOf(alone, *energy).kind, DeviceKind::Gpu);
    QCOMPARE(alone.writer->samples.at(energy->id.value).at(0).value, 2.0);
    const auto both = test::importPerfettoBytes(rail(1, "G3D", "gpu") + railReading(10, 1, 1) + kEstimate);
    QCOMPARE(both.writer->findCounter("GPU (estimated)")->quantity, std::string("energy_estimate"));
}

void PerfettoSystemTest::batteryDrawIsPower() {
    const auto reading = [](Ns ts, std::int64_t microAmperes) {
        return packet(
            ts, 38,
            number(1, 3'000'000) + number(3, static_cast<std::uint64_t>(microAmperes)) + number(7, 4'000'000));
    };
    const auto trace = test::importPerfettoBytes(reading(1, 500'000) + reading(2, -250'000));
    const auto values = [&](const char *name) {
        return trace.writer->samples.at(trace.writer->findCounter(name)->id.value);
    };
    QCOMPARE(values("battery draw").size(), std::size_t(1));  // not while it is being charged
    QCOMPARE(values("battery draw")[0].value, 2.0);
    QCOMPARE(values("battery current")[1].value, -0.25);
    QCOMPARE(values("battery charge")[0].value, 10800.0);
    QCOMPARE(trace.writer->findCounter("battery draw")->unit, std::string("W"));
}

void PerfettoSystemTest::gpuUnits() {
    using importers::perfetto::gpuUnit;
    QCOMPARE(gpuUnit({28}, {}).text, std::string("W"));
    QCOMPARE(gpuUnit({28}, {}).factor, 1e-3);
    QCOMPARE(gpuUnit({37}, {}).text, std::string("1"));
    QCOMPARE(gpuUnit({9}, {22}).text, std::string("B/s"));
    QCOMPARE(gpuUnit({27}, {21, 21}).text, std::string("Triangle/ms:ms"));
    QCOMPARE(gpuUnit({}, {}).text, std::string("1"));
    QCOMPARE(gpuUnit({99}, {99}).text, std::string("1"));
}

void PerfettoSystemTest::unknownEventsAreCounted() {
    const std::string event = bytes(2, number(1, 5) + number(2, 7) + bytes(4000, "") + bytes(3999, ""));
    const auto trace = test::importPerfettoBytes(packet(1, 1, number(1, 0) + event));
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    QCOMPARE(trace.writer->warningCount("kernel_events_not_shown"), std::int64_t(1));
    QCOMPARE(trace.writer->metadataValue("ftrace.not_shown.field_3999"), std::string("1"));
}

void PerfettoSystemTest::upstreamCase_data() {
    QTest::addColumn<QString>("expected");
    for (const char *area : {"ftrace", "counters", "process", "power", "gpu"}) {
        const QString folder = QStringLiteral("corpus/perfetto_cases/") + QLatin1String(area);
        for (const QString &path : test::sharedFiles(folder, QStringLiteral("*.expected.json")))
            if (readJson(path)["trace"].get<std::string>().ends_with(".pftrace"))
                QTest::newRow(qPrintable(QFileInfo(path).completeBaseName())) << path;
    }
}

void PerfettoSystemTest::upstreamCase() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared corpus is not here");
    QFETCH(QString, expected);
    const Json description = readJson(expected);
    const std::string file = description["trace"], name = file.substr(0, file.find('.'));
    const auto trace = test::importPerfettoFile(QFileInfo(expected).path().toStdString() + '/' + file);
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    std::string problems;
    for (const Json &fact : description["facts"]) {
        const std::string kind = fact["kind"];
        if (kind == "trace_bounds" || (kind == "counter_tracks" && name == "pw_energy_breakdown") ||
            name == "pw_sysfs_counters")
            continue;  // see behaviour tests
        problems += joined(test::checkFact(trace, fact, optionsFor(name, kind), rowsFor(trace, name, fact)));
    }
    QVERIFY2(problems.empty(), problems.c_str());
}

void PerfettoSystemTest::corpusSched() {
    WATTPROOF_SHARED_OR_SKIP(path, "corpus/perfetto/msperf_test_trace.perfetto-trace");
    const Json facts = readJson(path + QStringLiteral(".facts.json"))["members"][0]["perfetto"]["ftrace"];
    const auto trace = test::importPerfettoFile(path.toStdString());
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    std::map<std::int64_t, std::pair<Ns, std::int64_t>> byTid;
    for (const FactRow &row : schedRows(trace)) {
        if (row.at("dur_ns") == -1)
            continue;
        auto &[run, slices] = byTid[row.at("tid").get<std::int64_t>()];
        run += row.at("dur_ns").get<Ns>();
        ++slices;
    }
    for (const auto &[key, list] : facts.items())
        if (key.starts_with("cpu_time_top_tids"))
            for (const Json &top : list) {
                if (top["tid"] == 0)
                    continue;  // the idle task is no slice
                QCOMPARE(byTid[top["tid"]].first, top["run_ns"].get<Ns>());
                QCOMPARE(byTid[top["tid"]].second, top["slices"].get<std::int64_t>());
            }
    for (const auto &[cpu, count] : facts["cpu_frequency_samples_per_cpu"].items()) {
        const CounterRow *counter = trace.writer->findCounter("CPU " + cpu + " frequency");
        QVERIFY(counter);
        QCOMPARE(trace.writer->samples.at(counter->id.value).size(), count.get<std::size_t>());
    }
}

void PerfettoSystemTest::corpusGpuCounters() {
    WATTPROOF_SHARED_OR_SKIP(path, "corpus/perfetto/msperf_androidGpu.pftrace");
    const Json facts = readJson(path + QStringLiteral(".facts.json"))["members"][0]["perfetto"];
    const auto trace = test::importPerfettoFile(path.toStdString());
    QCOMPARE(trace.outcome(), std::string("ok"));
    std::vector<std::size_t> counts;
    for (const auto &[id, samples] : trace.writer->samples)
        counts.push_back(samples.size());
    for (const auto &[id, count] : facts["gpu_counter_samples_by_id"].items())
        QVERIFY(std::count(counts.begin(), counts.end(), count.get<std::size_t>()) > 0);
}

QTEST_APPLESS_MAIN(PerfettoSystemTest)
#include "tst_perfetto_system.moc"
