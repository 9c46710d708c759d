// What the readings of a power channel say against themselves, told while they are read: stretches in which the
// sensor stood still, readings of nothing, readings that repeat because they were asked for faster than they are
// made.
#pragma once

#include "store/time.h"

#include <cstdint>
#include <optional>

namespace wattproof::importers {

// Of one device: when its other sensors last moved by more than their noise.
class DeviceMoves {
public:
    struct Sensor {
        std::optional<double> anchor;  // the value it last moved to
    };
    // load: of a utilisation, which tells of work; a temperature tells only that time went on.
    void note(Sensor &, Ns ts, double value, bool load);
    // Whether one moved after a time. wholeUnits: of a power sensor whose equal readings prove little.
    [[nodiscard]] bool since(Ns ts, bool wholeUnits) const;

private:
    std::optional<Ns> any_, load_;
};

class ReadingWatch {
public:
    void add(Ns ts, double value, const DeviceMoves &);
    void end() { closeRun(); }

    [[nodiscard]] std::int64_t zeros() const { return zeros_; }
    [[nodiscard]] std::int64_t equal() const { return equal_; }  // readings like the one before
    [[nodiscard]] std::int64_t changes() const { return changes_; }
    [[nodiscard]] std::int64_t frozen() const { return frozen_; }  // stretches
    [[nodiscard]] double frozenAt() const { return frozenValue_; }
    // Whether readings repeat because they were asked for faster than they are made: few stand alone, or few
    // differ at all, though their steps are finer than 1 and small against their range.
    [[nodiscard]] bool isAskedTooOften(double range) const;

private:
    void closeRun();

    std::int64_t zeros_ = 0, equal_ = 0, changes_ = 0, frozen_ = 0, singles_ = 0, run_ = 0, after_ = 0;
    double last_ = 0, step_ = 0, frozenValue_ = 0;
    bool fractions_ = false;
    Ns runBegin_ = 0, runEnd_ = 0;
    std::optional<Ns> movedAt_;  // in this run, another sensor; after_ readings ago
};

}  // namespace wattproof::importers
