// The PyTorch profiler on CUDA, ROCm, XPU, MTIA and HPU, from its first years on.
#include "importers/chrome/decimal.h"
#include "importers/chrome/dialects/dialect.h"
#include "importers/chrome/dialects/work_facts.h"

#include <algorithm>
#include <array>

namespace wattproof::importers::chrome {
namespace {

struct CategoryClass {
    std::string_view category;
    EventClass eventClass;
};

// The capitalised ones are those of its first years.
constexpr CategoryClass kCategories[] = {
    {"kernel", EventClass::Kernel},
    {"Kernel", EventClass::Kernel},
    {"concurrent_kernel", EventClass::Kernel},
    {"mtia_ccp_events", EventClass::Kernel},
    {"hpu_op", EventClass::Kernel},
    {"gpu_memcpy", EventClass::Memcpy},
    {"Memcpy", EventClass::Memcpy},
    {"gpu_memset", EventClass::Memset},
    {"Memset", EventClass::Memset},
    {"cuda_runtime", EventClass::Launch},
    {"cuda_driver", EventClass::Launch},
    {"hip_runtime", EventClass::Launch},
    {"hip_driver", EventClass::Launch},
    {"xpu_runtime", EventClass::Launch},
    {"xpu_driver", EventClass::Launch},
    {"mtia_runtime", EventClass::Launch},
    {"glow_runtime", EventClass::Launch},
    {"privateuse1_runtime", EventClass::Launch},
    {"privateuse1_driver", EventClass::Launch},
    {"Runtime", EventClass::Launch},
    {"gpu_user_annotation", EventClass::GpuAnnotation},
};

template <std::size_t N>
bool among(const std::array<std::string_view, N> &list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

EventClass classOfCategory(std::string_view category) {
    for (const CategoryClass &entry : kCategories)
        if (entry.category == category)
            return entry.eventClass;
    return EventClass::Plain;
}

bool isHeadKey(std::string_view key) {
    constexpr std::array<std::string_view, 7> kKeys{"schemaVersion",   "deviceProperties", "baseTimeNanoseconds",
                                                    "distributedInfo", "record_shapes",    "with_stack",
                                                    "trace_id"};
    return among(kKeys, key);
}

bool isOtherCategory(std::string_view category) {
    constexpr std::array<std::string_view, 7> kOthers{"cpu_op", "Operator", "user_annotation",  "python_function",
                                                      "ac2g",   "fwdbwd",   "cpu_instant_event"};
    return among(kOthers, category);
}

// Whose devices a trace speaks of: the surest clue counts. ROCm writes the categories of CUDA.
class Accelerator {
public:
    void note(const Clue &clue) {
        if (clue.kind == ClueKind::Category)
            offerCategory(clue.text);
        else if (clue.kind == ClueKind::HeadValue && clue.key == "deviceProperties")
            offerDevices(clue.text);
        else if (clue.kind == ClueKind::EventName && (clue.text.starts_with("hip") || clue.text.ends_with(".kd")))
            offer("rocm", 3);
    }
    [[nodiscard]] const std::string &name() const { return name_; }

private:
    void offerDevices(std::string_view json) {
        if (contains(json, "AMD") || contains(json, "gfx"))
            offer("rocm", 3);
        else if (contains(json, "NVIDIA") || contains(json, "computeMajor"))
            offer("cuda", 2);
    }
    void offerCategory(std::string_view category) {
        if (category.starts_with("mtia_") || category.starts_with("xpu_") || category.starts_with("hpu_"))
            offer(category.substr(0, category.find('_')), 4);
        else if (category.starts_with("hip_"))
            offer("rocm", 4);
        else if (classOfCategory(category) != EventClass::Plain)
            offer("cuda", 1);
    }
    void offer(std::string_view name, int sure) {
        if (sure <= sure_)
            return;
        name_ = name;
        sure_ = sure;
    }

    std::string name_;
    int sure_ = 0;
};

class Kineto final : public Dialect {
public:
    std::string format() const override {
        return accelerator_.name().empty() ? "kineto" : "kineto-" + accelerator_.name();
    }
    std::string_view unitOfWork() const override { return "ProfilerStep#*"; }

    void note(const Clue &clue) override {
        accelerator_.note(clue);
        if (clue.kind == ClueKind::HeadKey && isHeadKey(clue.text))
            points_ += 20;
        else if (clue.kind == ClueKind::Category &&
                 (isOtherCategory(clue.text) || classOfCategory(clue.text) != EventClass::Plain))
            points_ += 10;
    }

    EventClass classOf(const Event &event, const Thread &) const override {
        return classOfCategory(event.category.text());
    }

    // By the arguments device and stream, else by pid and tid.
    WorkPlace placeOf(const Event &event, const Thread &thread) const override {
        WorkPlace place{textOr(event, "device", thread.process->row.pid), textOr(event, "stream", thread.row.tid)};
        const std::string_view category = event.category.text();
        if (category == "mtia_ccp_events" || category == "hpu_op") {
            place.kind = DeviceKind::Other;
            place.deviceName = (category == "hpu_op" ? "HPU " : "MTIA ") + place.device;
        }
        return place;
    }

    LaunchIds idsOf(const Event &event) const override {
        const auto external = integerOf(event.argument("External id"));
        return {integerOf(event.argument("correlation")).value_or(0),
                external ? *external : integerOf(event.argument("external id")).value_or(0)};
    }

    void describe(const Event &event, std::string_view name, GpuOpRow &row) const override {
        row.grid = triple(event.argument("grid"));
        row.block = triple(event.argument("block"));
        row.bytes = integerOf(event.argument("bytes"));
        // A static estimate in per cent, as the key says.
        if (const RawValue *value = event.argument("est. achieved occupancy %"))
            if (const auto percent = real(value->text()))
                row.occupancy = *percent / 100.0;
        if (row.activity != GpuActivity::Memcpy)
            return;
        row.copyKind = copyKindOf(name);
        if (row.copyKind == CopyKind::Other)
            row.copyKind = copyKindOf(textOr(event, "kind", {}));
    }

private:
    Accelerator accelerator_;
};

}  // namespace

std::unique_ptr<Dialect> makeKineto() {
    return std::make_unique<Kineto>();
}

}  // namespace wattproof::importers::chrome
