#!/usr/bin/env python3
"""Energy of nvidia-smi query logs, worked out on its own: from the rules of docs/methods.md, not from the product.

Usage: independent_energy.py FILE...   prints {"FILE": {"GPU 0": {"joules": J, "samples": N, "missing": M}}} as JSON.
Files without a power.draw column are left out.
"""
import csv
import datetime
import json
import statistics
import sys

MISSING = ("n/a", "not supported", "unknown error", "gpu is lost", "err!", "gpu requires reset",
           "requested functionality has been deprecated", "")


def seconds(text):
    moment = datetime.datetime.strptime(text, "%Y/%m/%d %H:%M:%S.%f").replace(tzinfo=datetime.timezone.utc)
    return moment.timestamp()


def nanoseconds(text):
    whole, fraction = text.split(".")
    return int(seconds(whole + ".0")) * 10**9 + int(fraction.ljust(9, "0"))


def value(cell):
    """Watts of a cell, or None where there is no value."""
    if cell.strip("[]").lower() in MISSING:
        return None
    return float(cell.split()[0])


def integral(samples):
    """Trapezoids between neighbours at most five median periods apart."""
    distances = [b[0] - a[0] for a, b in zip(samples, samples[1:]) if b[0] > a[0]]
    if not distances:
        return 0.0
    limit = 5 * statistics.median(distances)
    return sum((b[0] - a[0]) / 1e9 * (a[1] + b[1]) / 2
               for a, b in zip(samples, samples[1:]) if b[0] - a[0] <= limit)


def read(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [[cell.strip() for cell in row] for row in csv.reader(file)]
    header = [cell.split(" [")[0] for cell in rows[0]]
    if "power.draw" not in header:
        return None
    power, time = header.index("power.draw"), header.index("timestamp")
    index = header.index("index") if "index" in header else None
    devices = {}
    for row in rows[1:]:
        if len(row) != len(header):
            continue
        name = "GPU " + (row[index] if index is not None else "0")
        device = devices.setdefault(name, {"samples": [], "missing": 0})
        watts = value(row[power])
        if watts is None:
            device["missing"] += 1
        else:
            device["samples"].append((nanoseconds(row[time]), watts))
    return {name: {"joules": integral(device["samples"]), "samples": len(device["samples"]),
                   "missing": device["missing"]} for name, device in devices.items()}


if __name__ == "__main__":
    results = {path: read(path) for path in sys.argv[1:]}
    print(json.dumps({path: result for path, result in results.items() if result is not None}))
