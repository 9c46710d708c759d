// Rows as importers hand them to the store and as readers hand them back. Plain data, no behaviour.
// Times of rows that importers write are source time (store/time.h); those of readers are workspace time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/ids.h"
#include "store/time.h"

namespace wattproof {

enum class SourceKind : std::uint8_t { Trace, Power, Requests, Quality };
enum class DeviceKind : std::uint8_t { Gpu, GpuInstance, Cpu, Dram, Rail, SocBlock, Node, Outlet, Process, Other };
enum class TrackKind : std::uint8_t { Thread, Async, GpuStream, Cpu, Counter, Global, Process };
enum class SliceState : std::uint8_t { Ok, Unfinished, UnmatchedEnd };
enum class SliceKind : std::uint8_t { Slice, Instant };
enum class GpuActivity : std::uint8_t { Kernel, Memcpy, Memset };
enum class CopyKind : std::uint8_t { None, HostToDevice, DeviceToHost, DeviceToDevice, PeerToPeer, HostToHost, Other };
enum class CounterKind : std::uint8_t { Gauge, Mean, Delta, Counter, Flags, Run };
enum class ThreadState : std::uint8_t { Running, Runnable, Sleeping, BlockedIo, Unknown };
// How a source's times relate to the world; decides which alignments are possible.
enum class ClockBasis : std::uint8_t {
    Epoch,            // stated times are epoch ns, UTC
    WallAssumedZone,  // wall time without zone; sources.clock names the zone that was assumed
    TimeOfDay,        // no date
    Relative,         // since some start that the file does not tie to wall time
    None              // no times at all
};

// The words the public views use ("trace", "gpu_stream", "unfinished", "DtoH" ...) and back.
const char *word(SourceKind);
const char *word(DeviceKind);
const char *word(TrackKind);
const char *word(SliceState);
const char *word(SliceKind);
const char *word(GpuActivity);
const char *word(CopyKind);
const char *word(CounterKind);
const char *word(ThreadState);
const char *word(ClockBasis);
std::optional<SourceKind> sourceKindFromWord(std::string_view);
std::optional<ClockBasis> clockBasisFromWord(std::string_view);
std::optional<DeviceKind> deviceKindFromWord(std::string_view);
std::optional<CounterKind> counterKindFromWord(std::string_view);
std::optional<TrackKind> trackKindFromWord(std::string_view);

struct SourceRow {
    SourceId id;
    SourceKind kind = SourceKind::Trace;
    std::string path;
    std::string format;        // "kineto", "chrome-json", "nvidia-smi-csv", "nsys-cuda-gpu-trace-csv", ...
    std::uint64_t sizeBytes = 0;
    std::string sha256;
    std::string importedAt;    // ISO 8601, UTC
    std::string toolVersion;
    ClockBasis clock = ClockBasis::Relative;
    std::string zone;          // assumed zone ("UTC", "+02:00", "Europe/Berlin") and why; empty where not needed
    Ns statedBase = 0;         // stated time of source time 0
    TimeMap map;               // filled by readers
    bool simulated = false;    // the file says that it was simulated: labelled so wherever it shows
};

struct DeviceRow {
    DeviceId id;
    SourceId source;
    std::string host;
    DeviceKind kind = DeviceKind::Gpu;
    std::string name;          // label shown and used in documents: "GPU 0"
    std::string model;         // "NVIDIA H100 80GB HBM3"; empty when unknown
    std::string uuid;
    std::string pci;
    std::string nativeId;      // what this source calls it: ordinal, agent number, UUID, column name
    DeviceId parent;
};

struct ProcessRow {
    ProcessId id;
    SourceId source;
    std::string pid;           // as text: 64-bit numbers and names like "Spans" are both legal
    std::string name;
    std::string labels;
    std::optional<std::int64_t> sortIndex;
};

struct ThreadRow {
    ThreadId id;
    SourceId source;
    ProcessId process;
    std::string tid;
    std::string name;
    std::optional<std::int64_t> sortIndex;
};

struct TrackRow {
    TrackId id;
    SourceId source;
    TrackKind kind = TrackKind::Thread;
    std::string name;
    ProcessId process;
    ThreadId thread;
    TrackId parent;
    DeviceId device;
    std::string stream;        // for gpu_stream: the stream id as the source writes it
    // Filled by the writer and readers:
    std::int64_t sliceCount = 0;
    std::int32_t rowCount = 0;     // drawing rows: depth and lanes together
    TimeRange extent;              // workspace time (readers)
};

// A slice in its final place. The writer wants them per track, ordered by (ts, longer first, file order),
// with depth, lane and parent decided (importers/trace does that).
struct SliceRow {
    SliceId id;                // assigned by the writer, ascending
    TrackId track;
    Ns ts = 0;
    Ns dur = 0;                // unfinished: to the end of the trace
    std::int32_t depth = 0;    // nesting depth within its lane
    std::int32_t lane = 0;     // 0, or the overflow lane of a partly overlapping slice
    std::int32_t row = 0;      // drawing row within the track: unique for (lane, depth)
    SliceId parent;
    StringId name;
    StringId category;
    SliceState state = SliceState::Ok;
    SliceKind kind = SliceKind::Slice;
    ArgSetId args;
};

struct GpuOpRow {
    SliceId slice;
    GpuActivity activity = GpuActivity::Kernel;
    DeviceId device;
    std::string stream;
    std::int64_t correlation = 0;                 // 0 = none
    std::optional<std::array<std::int64_t, 3>> grid;
    std::optional<std::array<std::int64_t, 3>> block;
    std::optional<double> occupancy;              // fraction 0..1; a static estimate unless `args` says otherwise
    std::optional<std::int64_t> bytes;
    std::optional<double> flops;
    CopyKind copyKind = CopyKind::None;
    SliceId launch;                               // host call that launched it
};

// Sensor facts that limit what a channel may claim. Times in ns; 0 = unknown.
struct Sensor {
    Ns period = 0;             // how often the value really updates
    Ns window = 0;             // averaging window that ends at the update
    Ns lag = 0;
    double duty = 1.0;         // share of the window that is sampled
    double quantum = 0.0;      // resolution in the channel's unit
    bool modelled = false;     // an estimate by software, not a measurement
    std::string note;          // sentence shown beside every number the sensor limits
};

struct CounterRow {
    CounterId id;
    TrackId track;             // the counter's own track
    SourceId source;
    CounterId parent;          // contains-relation: a child is never added to its parent
    std::string name;
    DeviceId device;
    std::string domain;        // "board", "package", "cores", "dram", "psys", rail name; empty for trace counters
    std::string quantity;      // "power", "energy", "temperature", "clock", "utilisation", "limit", "throttle", ...
    std::string unit;          // SI: "W", "J", "degC", "Hz", "1", "V", "A", "B"
    CounterKind kind = CounterKind::Gauge;
    Sensor sensor;
    std::string flagTable;     // for kind flags: which mask table names the bits ("nvml", "amdsmi", "zes")
    std::uint64_t modulus = 0; // for kind counter: wraps at this many units; 0 = never
    // Filled by the writer and readers:
    std::int64_t sampleCount = 0;
    TimeRange extent;
    double minValue = 0, maxValue = 0;
};

struct Sample {
    Ns ts = 0;
    double value = 0;
};

struct FlowRow {
    FlowId id;
    SliceId from;
    SliceId to;
    StringId name;
    StringId category;
};

struct ThreadStateRow {
    ThreadId thread;
    Ns ts = 0;
    Ns dur = 0;
    ThreadState state = ThreadState::Unknown;
    std::int32_t cpu = -1;
};

// Stands in the attributes of a request whose log does not say when it ran: its ts means nothing.
inline constexpr std::string_view kUntimedAttribute = "\"untimed\":true";

struct RequestRow {
    std::string name;
    Ns ts = 0;
    Ns dur = 0;
    std::optional<double> units;
    bool ok = true;
    std::string attributesJson;
};

[[nodiscard]] inline bool isUntimed(const RequestRow &request) {
    return request.attributesJson.find(kUntimedAttribute) != std::string::npos;
}

// What a source holds of requests and quality.
struct RequestCounts {
    std::int64_t requests = 0, failed = 0;
    std::int64_t untimed = 0;  // without a time of their own
    std::int64_t metrics = 0;  // rows of quality

    RequestCounts &operator+=(const RequestCounts &other) {
        requests += other.requests;
        failed += other.failed;
        untimed += other.untimed;
        metrics += other.metrics;
        return *this;
    }
};

struct QualityRow {
    std::string metric;
    std::string slice;
    double value = 0;
    std::optional<double> threshold;
    bool higherIsBetter = true;
};

// Kinds are those of the shared vocabulary: truncated_input, missing_value, overlapping_slice, ...
struct WarningRow {
    SourceId source;
    std::string kind;
    std::int64_t count = 0;
    std::string firstPosition;     // "byte 1204", "line 17"
    std::string message;           // one sentence: what, and what was done about it
};

struct MetadataRow {
    SourceId source;               // none = about the workspace
    std::string key;
    std::string value;
};

}  // namespace wattproof
