#!/usr/bin/env python3
"""Real power and request logs, worked out on their own: each file is read in the simplest way that fits it, and the
rules are those of docs/methods.md, not the product's code.

Usage: independent_logs.py FOLDER   prints as JSON, of the files in FOLDER/powerlogs and FOLDER/requestlogs, either
{"file": {"joules": {"device": [joules, readings]}}} of what is to be added up, or facts such as {"requests": 16}.
"""
import csv
import datetime
import json
import math
import re
import statistics
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1]) / "powerlogs"
REQUESTS = Path(sys.argv[1]) / "requestlogs"
UTC = datetime.timezone.utc


def lines(name, encoding="latin-1"):
    return (FOLDER / name).read_text(encoding=encoding).splitlines()


def table(name, delimiter=",", encoding="latin-1"):
    return [[cell.strip() for cell in row] for row in csv.reader(lines(name, encoding), delimiter=delimiter) if row]


def when(text, form):
    return datetime.datetime.strptime(text, form).replace(tzinfo=UTC).timestamp()


def distances(samples):
    return [b[0] - a[0] for a, b in zip(samples, samples[1:]) if b[0] > a[0]]


def gauge(samples):
    steps = distances(samples)
    if not steps:
        return 0.0, len(samples)
    limit = 5 * statistics.median(steps) + 1e-9
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(samples, samples[1:]) if b[0] - a[0] <= limit), len(samples)


def mean(samples):
    period = statistics.median(distances(samples))
    return samples[0][1] * period + sum(
        (b[0] - a[0]) * b[1] for a, b in zip(samples, samples[1:]) if b[0] - a[0] <= 5 * period + 1e-9), len(samples)


def dmon(name):
    samples = []
    for i, line in enumerate(l for l in lines(name) if not l.startswith("#")):
        cells = line.split()
        dated = len(cells[0]) == 8
        samples.append((when(" ".join(cells[:2]), "%Y%m%d %H:%M:%S") if dated else float(i), float(cells[3 if dated else 1])))
    return {"GPU 0": gauge(samples)}


def columns(name, time, device, power, delimiter=",", keep=lambda row: True):
    """Gauges of a table: functions of a row give time, device and watts."""
    devices = {}
    for row in table(name, delimiter)[1:]:
        if len(row) > 1 and keep(row):
            devices.setdefault(device(row), []).append((time(row), float(power(row))))
    return {key: gauge(sorted(value)) for key, value in devices.items()}


def dcgm(name):
    return columns(name, lambda r: int(r[1]) / 1e6, lambda r: "GPU " + r[0], lambda r: r[3],
                   keep=lambda r: r[2] == "power_usage_instant")


def clock(text):
    return when("2000-01-01 " + text, "%Y-%m-%d %H:%M:%S.%f")


def amd(name):
    return columns(name, lambda r: int(r[0]), lambda r: "GPU " + r[1], lambda r: r[10], keep=lambda r: r[0].isdigit())


def turbostat(name, period):
    header, watts, dram = None, [], []
    for line in lines(name):
        cells = line.split()
        if "PkgWatt" in cells:
            header = cells
        elif header and len(cells) == len(header) and cells[header.index("CPU")] == "-":
            at = float(cells[header.index("Time_Of_Day_Seconds")]) if not period else len(watts) * period
            watts.append((at, float(cells[header.index("PkgWatt")])))
            if "RAMWatt" in header:
                dram.append((at, float(cells[header.index("RAMWatt")])))
    return {"package": mean(watts), **({"dram": mean(dram)} if dram else {})}


def afterburner(name):
    rows = [[c.strip() for c in l.split(",")] for l in lines(name)]
    power = next(r for r in rows if r[0] == "02").index("Power")
    return {"GPU 0": gauge([(when(r[1], "%d-%m-%Y %H:%M:%S"), float(r[power])) for r in rows if r[0] == "80"])}


def ptdaemon(name):
    rows = [l.split(",") for l in lines(name) if l.count(",") >= 11]
    return {"outlet": gauge([(when(r[1], "%m-%d-%Y %H:%M:%S.%f"), float(r[3])) for r in rows])}


def powermetrics(name):
    """Each sample's package power times the length it states; the first one's counts as the median distance."""
    watts, lengths = [], []
    for line in lines(name):
        if line.startswith("*** Sampled"):
            lengths.append(float(re.search(r"\(([\d.]+)ms elapsed", line)[1]) / 1e3)
        elif line.startswith("Package Power:"):
            watts.append(float(line.split()[2]) / 1e3)
    assert len(watts) == len(lengths)
    joules = watts[0] * statistics.median(lengths[1:]) + sum(w * l for w, l in zip(watts[1:], lengths[1:]))
    return {"package": (joules, len(watts))}


def tegrastats(name):
    samples = []
    for line in lines(name):
        rail = re.search(r"VDD_IN (\d+)(?:mW)?/", line)
        if rail:
            at = when(line[:19], "%m-%d-%Y %H:%M:%S") if line[2] == "-" else float(len(samples))
            samples.append((at, int(rail[1]) / 1e3))
    return {"VDD_IN": gauge(samples)}


def hwinfo(name, watts, encoding="latin-1"):
    header, *rows = [[c.strip() for c in r] for r in csv.reader(
        (FOLDER / name).read_text(encoding=encoding, errors="replace").splitlines()) if r]
    result = {}
    for device, title in watts.items():
        at = header.index(title)
        result[device] = gauge([(when(r[0] + " " + r[1] + "000", "%d.%m.%Y %H:%M:%S.%f"), float(r[at]))
                                for r in rows if r[0][:1].isdigit()])
    return result


def codecarbon(name):
    header, *rows = table(name)
    return {"host": (sum(float(r[header.index("energy_consumed")]) for r in rows) * 3.6e6, len(rows))}


def rapl(name):
    micro = [int(l.split()[1]) for l in lines(name) if l.strip()]
    kept = [m for m in micro if m < 20_000_000_000]
    return {"package-0": (sum(kept) / 1e6, len(kept))}


def first_last(name, column, device):
    rows = [r for r in table(name)[1:] if len(r) > column and r[0][:1].isdigit()]
    return {device: (float(rows[-1][column]) - float(rows[0][column]), len(rows))}


def queries():
    """nvidia-smi --query-gpu: of the columns of power the one to add up is "power.draw"."""
    found = {}
    for f in (FOLDER / "nvidia-smi-query").iterdir():
        name = "nvidia-smi-query/" + f.name
        header = table(name)[0]
        if "power.draw [W]" in header:
            at, power = header.index("timestamp"), header.index("power.draw [W]")
            found[name] = columns(name, lambda r: when(r[at], "%Y/%m/%d %H:%M:%S.%f"), lambda r: "GPU 0",
                                  lambda r: r[power].split()[0], keep=lambda r: True)
    return found


def single_reports():
    """One reading of each device: no time, no joules."""
    once = lambda names: {name: (0.0, 1) for name in names}
    found = {"nvidia-smi-q/" + f.name: once(["GPU 0"]) for f in (FOLDER / "nvidia-smi-q").iterdir()}
    found.update({"nvidia-smi-xml/" + f.name: once(["GPU 0"]) for f in (FOLDER / "nvidia-smi-xml").iterdir()})
    found.update({"ipmitool-dcmi/" + f.name: once(["node"]) for f in (FOLDER / "ipmitool-dcmi").iterdir()})
    for f in (FOLDER / "rocm-smi-json").iterdir():
        found["rocm-smi-json/" + f.name] = once("GPU " + c[4:] for c in json.loads(f.read_text()) if c.startswith("card"))
    found["nvtop-json/two_gpus_snapshot.json"] = once(["GPU 0", "GPU 1"])
    found["prometheus-dcgm/a100_mig_scrape.prom"] = once(["node-a GPU 0"])
    found["prometheus-dcgm/old_dcgm1_lowercase.prom"] = once(["GPU 0"])
    windows = re.findall(r"Energy       : +([\d.]+) uJ", "\n".join(lines("mlperf-tiny-energy/ad_results.txt")))
    found["mlperf-tiny-energy/ad_results.txt"] = {"board": (sum(map(float, windows)) / 1e6, len(windows))}
    return found


def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def requests():
    """Counts of requests, failures, tokens, figures and samples, with the seconds of the requests that succeeded."""
    found = {}
    for f in sorted(REQUESTS.rglob("*")):
        name = "requestlogs/" + f.relative_to(REQUESTS).as_posix()
        if f.suffix == ".csv":
            rows = list(csv.DictReader(f.open(encoding="utf-8")))
        if f.name == "groq_70b_individual.json":
            each = json.loads(f.read_text())
            found[name] = {"requests": len(each), "tokens": sum(r["number_output_tokens"] for r in each),
                           "seconds": sum(r["end_to_end_latency_s"] for r in each)}
        elif f.name.endswith("detailed_results.csv"):
            good = [r for r in rows if r["success"] == "True"]
            found[name] = {"requests": len(rows), "failed": len(rows) - len(good),
                           "seconds": sum(float(r["request_complete_time"]) - float(r["request_start_time"]) for r in good)}
        elif f.name == "dsr1_tp8_conc12_metrics.csv":
            found[name] = {"samples": sum(is_number(v) for r in rows for k, v in r.items() if "time_sec" not in k and k != "timestamp_sec")}
        elif f.name.endswith("_detail.txt"):
            keys = [json.loads(l[l.index("{"):])["key"] for l in f.read_text().splitlines() if ":::MLLOG" in l]
            found[name] = {"figures": sum(bool(re.fullmatch(r"result_.*(_ns|_sec|_second|_count)", k)) for k in keys)}
        elif f.name.endswith("_summary.txt"):
            keys = [l.split(":")[0] for l in f.read_text().splitlines() if ":" in l and "target" not in l]
            found[name] = {"figures": sum("latency (ns)" in k or "amples per second" in k for k in keys)}
        elif f.parent.name == "vllm-bench-json":
            run = json.loads(f.read_text())
            found[name] = {"figures": sum(k.startswith(("median_", "p99_")) or k.endswith("_throughput") for k in run)
                           + sum(k in run for k in ("completed", "total_input_tokens", "total_output_tokens"))}
    return found


def main():
    day = lambda form: lambda r: when(r[0], form)
    found = {f"nvidia-smi-dmon/{f.name}": dmon(f"nvidia-smi-dmon/{f.name}") for f in (FOLDER / "nvidia-smi-dmon").iterdir()}
    for f in (FOLDER / "codecarbon").iterdir():
        found[f"codecarbon/{f.name}"] = codecarbon(f"codecarbon/{f.name}")
    for f in ("aurora6_part1.csv", "single_with_temperature.csv"):
        found["xpu-smi-dump/" + f] = columns("xpu-smi-dump/" + f, lambda r: clock(r[0]), lambda r: "GPU " + r[1], lambda r: r[3])
    for f in ("mi355x8_idle_start.csv", "mi355x8_4gpus_loaded.csv"):
        found["amd-smi-csv/" + f] = amd("amd-smi-csv/" + f)
    for f in ("orin_resnet50_offline/run_1/spl.txt", "aedk15w_resnet50_offline/run_1/spl.txt", "dgxa100_3channels_spl_head.txt"):
        found["mlperf-ptd/" + f] = ptdaemon("mlperf-ptd/" + f)
    for f in ("m1_air_100ms_codecarbon.txt", "m1_GB5-Compute-Metal.txt"):
        found["powermetrics/" + f] = powermetrics("powermetrics/" + f)
    for f in ("orin_dated.log", "tx2_undated.txt"):
        found["tegrastats/" + f] = tegrastats("tegrastats/" + f)
    for f in ("cpu_energy_rapl_msr_component.log", "cpu_energy_rapl_msr_component_underflow.log"):
        found["rapl-delta-log/" + f] = rapl("rapl-delta-log/" + f)
    found["dcgm-long-csv/h100x8_dcgm_fields.csv"] = dcgm("dcgm-long-csv/h100x8_dcgm_fields.csv")
    found["turbostat/i7_7820hq_60s.out"] = turbostat("turbostat/i7_7820hq_60s.out", 5.0)
    found["turbostat/ryzen9700x_time_of_day.txt"] = turbostat("turbostat/ryzen9700x_time_of_day.txt", 0)
    found["afterburner-hml/rtx4060.hml"] = afterburner("afterburner-hml/rtx4060.hml")
    found["board-mw-csv/jetson_mw.csv"] = {"board": gauge(
        [(when(r[0], "%Y-%m-%d %H:%M:%S.%f"), float(r[1]) / 1e3) for r in table("board-mw-csv/jetson_mw.csv")[1:]])}
    found["gpuz-csv/sensor_log.txt"] = columns(
        "gpuz-csv/sensor_log.txt", day("%Y-%m-%d %H:%M:%S"), lambda r: "GPU 0", lambda r: r[13])
    found["wall-meter-csv/voltcraft_el4000_part1.csv"] = columns(
        "wall-meter-csv/voltcraft_el4000_part1.csv", day("%d/%m/%Y %H:%M"), lambda r: "outlet", lambda r: r[4], ";")
    found["redfish-bmc-csv/h200x16_two_nodes.csv"] = columns(
        "redfish-bmc-csv/h200x16_two_nodes.csv", day("%Y-%m-%dT%H:%M:%S"), lambda r: "all nodes", lambda r: r[3])
    found["custom-csv/wide_epoch_2gpu.csv"] = {
        "GPU " + str(i): gauge([(float(r[0]), float(r[1 + i])) for r in table("custom-csv/wide_epoch_2gpu.csv")[1:]]) for i in (0, 1)}
    found["custom-csv/h100x8_iso_offset_fieldshift.csv"] = columns(
        "custom-csv/h100x8_iso_offset_fieldshift.csv", day("%Y-%m-%dT%H:%M:%S+08:00"), lambda r: "GPU " + r[1], lambda r: r[5])
    found["hwinfo-csv/ryzen_rtx_utf8bom_chinese.CSV"] = hwinfo(
        "hwinfo-csv/ryzen_rtx_utf8bom_chinese.CSV", {"package": "CPU 封装功率 [W]", "GPU 0": "GPU 功率 [W]"}, "utf-8-sig")
    found["hwinfo-csv/gtx960_a.CSV"] = hwinfo("hwinfo-csv/gtx960_a.CSV", {
        "package": "CPU Package Power [W]", "dram": "Total DRAM Power [W]", "GPU 0": "GPU Power [W]"})
    found["joulescope-csv/statistics_2hz.csv"] = first_last("joulescope-csv/statistics_2hz.csv", 5, "Joulescope")
    power_gadget = "intel-power-gadget/PowerLog.csv"
    rows = [r for r in table(power_gadget)[1:] if len(r) > 20]
    found[power_gadget] = {"package-0": (float(rows[-1][6]) - float(rows[0][6]), len(rows)),
                           "dram-0": (float(rows[-1][14]) - float(rows[0][14]), len(rows))}
    perf = [float(r[1]) for r in table("perf-stat-csv/xeon_energy_pkg_I1000.csv")]
    found["perf-stat-csv/xeon_energy_pkg_I1000.csv"] = {"package": (sum(perf), len(perf))}
    found.update(queries())
    found.update(single_reports())
    result = {"powerlogs/" + name: {"joules": devices} for name, devices in found.items()}
    result.update(requests())
    print(json.dumps(result))


main()
