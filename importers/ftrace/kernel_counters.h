// Counters of the kernel's events: frequencies, idle states, temperatures, memory, and those that programs write.
#pragma once

#include "importers/ftrace/scene.h"

#include <functional>
#include <map>

namespace wattproof::importers::ftrace {

class KernelCounters {
public:
    explicit KernelCounters(Scene &scene) : scene_(scene) {}

    void cpuFrequency(const Record &);
    void cpuFrequencyLimits(const Record &);
    void cpuIdle(const Record &);
    void temperature(const Record &);
    void coolingDevice(const Record &);
    void gpuFrequency(const Record &);
    void gpuMemory(const Record &);
    void residentMemory(const Record &);
    void clockRate(const Record &);
    void mark(const Record &);    // phase C
    void sample(const Record &);  // numbers: pid (< 0: none), bits of the value; texts: name, unit

    // On a track of the process; `describe` fills the row when it is new.
    [[nodiscard]] CounterId processCounter(std::int64_t pid, const std::string &name,
                                           const std::function<void(CounterRow &)> &describe = {});

    // Of a part of the machine ("skin-therm", a clock's name): part and what make the name.
    [[nodiscard]] CounterId systemCounter(const std::string &part, std::string_view what,
                                          std::string_view quantity, std::string_view unit);

private:
    void cpuSample(const Record &, std::string_view what, std::string_view quantity, std::string_view unit,
                   double value);

    Scene &scene_;
    std::map<std::int64_t, Thread *> memoryOwners_;  // by mm_id
};

}  // namespace wattproof::importers::ftrace
