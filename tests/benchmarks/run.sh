#!/usr/bin/env bash
# Builds the benchmarks in release mode and prints all of them. Arguments: number of events (default 1000000), folder for
# the files it makes (default: a temporary one, removed at the end).
set -euo pipefail
cd "$(dirname "$0")/../.."
events=${1:-1000000}
if [ -n "${2:-}" ]; then
    folder=$2
    mkdir -p "$folder"
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
. packaging/dependencies.sh
install_missing "${BUILD_PACKAGES[@]}" "${BENCHMARK_PACKAGES[@]}"
cmake --preset release -DWATTPROOF_BENCHMARKS=ON >/dev/null
cmake --build build/release --target bench_import bench_perfetto bench_telemetry bench_readers bench_search bench_window \
    bench_events >/dev/null
build/release/tests/benchmarks/bench_import --events "$events" --folder "$folder"
build/release/tests/benchmarks/bench_perfetto --events "$events" --folder "$folder"
build/release/tests/benchmarks/bench_telemetry --folder "$folder"
build/release/tests/benchmarks/bench_readers "$folder/bench.wattproof"
build/release/tests/benchmarks/bench_search "$folder/bench.wattproof"
build/release/tests/benchmarks/bench_window "$folder/bench.wattproof"
build/release/tests/benchmarks/bench_events "$folder/bench.wattproof"
build/release/tests/benchmarks/bench_window --overlay "$folder/day.wattproof"
