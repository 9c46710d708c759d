// rocprof, first and second generation: one process an API ("CPU HIP API"), one a GPU ("GPU0"), one for copies;
// each event repeats its begin and end in its arguments, in nanoseconds.
#include "importers/chrome/dialects/dialect.h"
#include "importers/chrome/dialects/work_facts.h"

namespace wattproof::importers::chrome {
namespace {

bool isGpu(std::string_view process) {
    return process.starts_with("GPU") && isDigits(process.substr(3));
}

bool isCopies(std::string_view process) {
    return process == "COPY";
}

bool isApi(std::string_view process) {
    return process.ends_with("HIP API") || process.ends_with("HSA API") || process.ends_with("KFD API");
}

class Rocprof final : public Dialect {
public:
    std::string format() const override { return "rocprof"; }

    void note(const Clue &clue) override {
        if (clue.kind != ClueKind::ProcessName)
            return;
        if (isApi(clue.text))
            points_ += 25;
        else if (isGpu(clue.text) || isCopies(clue.text) || clue.text == "Markers and Ranges")
            points_ += 15;
    }

    EventClass classOf(const Event &event, const Thread &thread) const override {
        const std::string_view process = thread.process->name.text;
        if (isCopies(process))
            return EventClass::Memcpy;
        if (isGpu(process))
            return contains(event.name.text(), "fillBuffer") ? EventClass::Memset : EventClass::Kernel;
        return isApi(process) ? EventClass::Launch : EventClass::Plain;
    }

    // Copies do not say whose they are where there are several devices: they are those of the first.
    WorkPlace placeOf(const Event &event, const Thread &thread) const override {
        const std::string_view process = thread.process->name.text;
        const std::string own = isGpu(process) ? std::string(process.substr(3)) : "0";
        return {
            textOr(event, "dev-id", own),
            isCopies(process) ? "copies" : textOr(event, "stream-id", textOr(event, "queue-id", thread.row.tid))};
    }

    LaunchIds idsOf(const Event &event) const override {
        const auto own = integerOf(event.argument("correlation_id"));
        return {own ? *own : integerOf(event.argument("CorrelationId")).value_or(0), 0};
    }

    void describe(const Event &event, std::string_view name, GpuOpRow &row) const override {
        row.bytes = integerOf(event.argument("Size"));
        if (row.activity == GpuActivity::Memcpy)
            row.copyKind = copyKindOf(name);
    }
};

}  // namespace

std::unique_ptr<Dialect> makeRocprof() {
    return std::make_unique<Rocprof>();
}

}  // namespace wattproof::importers::chrome
