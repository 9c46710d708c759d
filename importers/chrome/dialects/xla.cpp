// JAX and TensorFlow: trace.json of the XLA profiler, whose processes are devices and hosts, and the timelines of
// TensorFlow 1. GPU streams are threads "Stream #20(Compute)"; of a TPU the thread "XLA Ops" is the work, what
// lies beside it (steps, modules, scopes) mirrors it.
#include "importers/chrome/decimal.h"
#include "importers/chrome/dialects/dialect.h"
#include "importers/chrome/dialects/work_facts.h"

namespace wattproof::importers::chrome {
namespace {

constexpr std::string_view kDevice = "/device:";

// "GPU" and "0" of "/job:x/device:GPU:0/stream:all Compute"; empty where a process is no device.
struct DeviceName {
    std::string_view kind, ordinal, rest;
    [[nodiscard]] bool isAccelerator() const { return !ordinal.empty() && kind != "CPU" && kind != "cpu"; }
};

DeviceName deviceOf(std::string_view process) {
    const std::size_t at = process.find(kDevice);
    if (at == std::string_view::npos)
        return {};
    process.remove_prefix(at + kDevice.size());
    const std::size_t colon = process.find(':');
    if (colon == std::string_view::npos)
        return {};
    DeviceName name;
    name.kind = process.substr(0, colon);
    process.remove_prefix(colon + 1);
    const std::size_t digits = std::min(process.find_first_not_of("0123456789"), process.size());
    name.ordinal = process.substr(0, digits);
    name.rest = process.substr(digits);
    return name;
}

// "20" of "Stream #20(MemcpyH2D)", of "stream:20" and of "Stream 20".
std::string_view streamOf(std::string_view text) {
    const std::size_t digit = text.find_first_of("0123456789");
    if (digit == std::string_view::npos)
        return {};
    text.remove_prefix(digit);
    return text.substr(0, text.find_first_not_of("0123456789"));
}

// The number behind `key` in "regs:32 grid:4,1,1 occ_pct:50".
std::string_view detail(std::string_view details, std::string_view key) {
    std::size_t at = details.find(key);
    while (at != std::string_view::npos && at > 0 && details[at - 1] != ' ')
        at = details.find(key, at + 1);
    if (at == std::string_view::npos)
        return {};
    details.remove_prefix(at + key.size());
    return details.substr(0, details.find(' '));
}

std::optional<std::array<std::int64_t, 3>> threeOf(std::string_view text) {
    std::array<std::int64_t, 3> numbers{};
    for (std::int64_t &number : numbers) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto parsed = integer(text.substr(0, comma));
        if (!parsed)
            return std::nullopt;
        number = *parsed;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return numbers;
}

EventClass classOfName(const Event &event) {
    std::string scratch;
    const std::string_view name = plainText(event.name, scratch);
    if (name.starts_with("Memset") || event.argument("memset_details"))
        return EventClass::Memset;
    const bool copy = name.starts_with("Memcpy") || name.starts_with("MEMCPY") || name.starts_with("Copy") ||
                      event.argument("memcpy_details");
    return copy ? EventClass::Memcpy : EventClass::Kernel;
}

bool isWork(const DeviceName &device, std::string_view thread) {
    // TensorFlow 1: a process a stream, and one for all of them.
    if (contains(device.rest, "stream:"))
        return contains(device.rest, "stream:all");
    return thread.starts_with("Stream") || thread == "XLA Ops";
}

class Xla : public Dialect {
public:
    void note(const Clue &clue) override {
        if (clue.kind == ClueKind::ProcessName &&
            (contains(clue.text, kDevice) || clue.text.starts_with("/host:")))
            points_ += 30;
        else if (clue.kind == ClueKind::HeadValue && contains(clue.text, "highres-ticks"))
            points_ += 10;
    }

    EventClass classOf(const Event &event, const Thread &thread) const override {
        const DeviceName device = deviceOf(thread.process->name.text);
        if (!device.isAccelerator())
            return event.argument("correlation_id") ? EventClass::Launch : EventClass::Plain;
        return isWork(device, thread.name.text) ? classOfName(event) : EventClass::GpuAnnotation;
    }

    WorkPlace placeOf(const Event &, const Thread &thread) const override {
        const DeviceName device = deviceOf(thread.process->name.text);
        const bool gpu = device.kind == "GPU" || device.kind == "gpu";
        const std::string_view stream = streamOf(thread.name.text);
        return {std::string(device.ordinal), stream.empty() ? thread.row.tid : std::string(stream),
                gpu ? DeviceKind::Gpu : DeviceKind::Other,
                std::string(device.kind) + ' ' + std::string(device.ordinal)};
    }

    LaunchIds idsOf(const Event &event) const override {
        return {integerOf(event.argument("correlation_id")).value_or(0), 0};
    }

    void describe(const Event &event, std::string_view name, GpuOpRow &row) const override {
        const std::string kernel = textOr(event, "kernel_details", {});
        row.grid = threeOf(detail(kernel, "grid:"));
        row.block = threeOf(detail(kernel, "block:"));
        if (const auto percent = real(detail(kernel, "occ_pct:")))
            row.occupancy = *percent / 100.0;
        const std::string copy = textOr(event, "memcpy_details", {});
        row.bytes = integer(detail(copy, "size:"));
        if (row.activity == GpuActivity::Memcpy)
            row.copyKind = copyKindOf(name);
    }
};

class Jax final : public Xla {
public:
    std::string format() const override { return "jax"; }
    void note(const Clue &clue) override {
        Xla::note(clue);
        const bool own =
            clue.kind == ClueKind::EventName && (clue.text.starts_with("PjitFunction") ||
                                                 clue.text.starts_with("jit_") || clue.text.starts_with("PjRt"));
        points_ += own ? 5 : 0;
    }
};

class TensorFlow final : public Xla {
public:
    std::string format() const override { return "tensorflow"; }
    void note(const Clue &clue) override {
        Xla::note(clue);
        const bool own = (clue.kind == ClueKind::EventName &&
                          (clue.text.starts_with("EagerExecute") || clue.text.starts_with("ExecutorState") ||
                           clue.text.starts_with("EagerLocalExecute"))) ||
                         (clue.kind == ClueKind::ThreadName && clue.text.starts_with("TensorFlow")) ||
                         (clue.kind == ClueKind::Category && clue.text == "Op") ||
                         (clue.kind == ClueKind::ProcessName && contains(clue.text, "/job:"));
        points_ += own ? 5 : 0;
    }
};

}  // namespace

std::unique_ptr<Dialect> makeJax() {
    return std::make_unique<Jax>();
}

std::unique_ptr<Dialect> makeTensorFlow() {
    return std::make_unique<TensorFlow>();
}

}  // namespace wattproof::importers::chrome
