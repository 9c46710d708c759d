#include "analysis/energy/floors.h"

#include "analysis/energy/floor_regression.h"
#include "analysis/stats/change_point.h"
#include "analysis/stats/percentile.h"
#include "analysis/stats/student.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace wattproof::analysis {
namespace {

constexpr Ns kSettle = 5'000'000'000;  // clocks and context fall only seconds after the last operation
constexpr std::size_t kFewestReadings = 3;
constexpr double kWidestHalf = 0.15;     // of the watts, for an intercept to be given
constexpr double kMedianError = 1.2533;  // of a median, in standard errors of a mean
constexpr double kSameLevel = 0.05;      // readings that near to each other belong to one level …
constexpr double kSameLevelWatts = 3;    // … or that near, where the level is low
constexpr Ns kNearest = 3;               // windows from the run within which its level begins
constexpr double kWorking = 0.8;         // times the power of work: pauses in which work goes on unseen
constexpr double kHotPauses = 1.5;  // times the level next to the run: the same, against the level next to the run

using Windows = std::vector<PowerWindow>;

template <class Accept>
Windows windowsWhere(const Windows &windows, Accept accept) {
    Windows kept;
    std::copy_if(windows.begin(), windows.end(), std::back_inserter(kept),
                 [&](const PowerWindow &window) { return accept(window.range); });
    return kept;
}

double medianOf(const Windows &windows) {
    std::vector<double> values;
    for (const PowerWindow &window : windows)
        values.push_back(window.watts);
    std::sort(values.begin(), values.end());
    return *percentile(values, 50);
}

bool sameLevel(double a, double b) {
    return std::abs(a - b) <= std::max(kSameLevelWatts, kSameLevel * std::min(a, b));
}

// A level that the readings scatter about.
struct Level {
    double watts = 0;
    Interval ci95;
};

double halfOf(const Interval &ci) {
    return (ci.high - ci.low) / 2;
}

Level levelOf(const Windows &windows, double quantumW) {
    const double middle = medianOf(windows);
    double squares = 0;
    for (const PowerWindow &window : windows)
        squares += (window.watts - middle) * (window.watts - middle);
    const std::size_t n = std::max<std::size_t>(2, independentWindows(windows));
    const double deviation =
        std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, windows.size() - 1)));
    const double half =
        student95(n - 1) * kMedianError * deviation / std::sqrt(static_cast<double>(n)) + quantumW / 2;
    return {middle, {std::max(0.0, middle - half), middle + half}};
}

std::string text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.0f", value);
    return buffer;
}

void addSource(IdleFloor &floor, const std::string &text) {
    floor.source += (floor.source.empty() ? "" : "; ") + text;
}

void give(IdleFloor &floor, const char *method, const Level &level, const std::string &how) {
    floor.method = method;
    floor.active = level.watts;
    floor.activeCi95 = level.ci95;
    addSource(floor, how);
}

class Estimator {
public:
    explicit Estimator(const FloorEvidence &evidence)
        : evidence_(evidence), inside_(windowsInside(evidence.windows, evidence.traced)) {
        for (const ClassColumn &item : evidence.classes)
            busy_ = unionOf(busy_, item.busy);
    }

    IdleFloor estimate() {
        estimateDeep();
        if (!fromReadings() && !fromTheIntercept())
            sayUnknown();
        return std::move(floor_);
    }

private:
    void estimateDeep() {
        const TimeRange traced = evidence_.traced;
        const auto before = windowsWhere(evidence_.windows, [&](TimeRange r) { return r.end <= traced.begin; });
        const auto after =
            windowsWhere(evidence_.windows, [&](TimeRange r) { return r.begin >= traced.end + kSettle; });
        std::size_t readings = 0;
        for (const Windows *side : {&before, &after}) {
            if (side->size() < kFewestReadings)
                continue;
            readings += side->size();
            floor_.deep = std::min(floor_.deep.value_or(medianOf(*side)), medianOf(*side));
        }
        if (floor_.deep && *floor_.deep > lowestInRun() && !sameLevel(*floor_.deep, lowestInRun())) {
            floor_.deep.reset();
            addSource(floor_,
                      "deep not seen: outside the trace the device draws more than in the run's quietest moments");
        }
        if (floor_.deep)
            addSource(floor_, "deep from " + std::to_string(readings) + " readings outside the trace");
    }

    [[nodiscard]] Windows inPauses() const {
        const auto paused = windowsWhere(inside_, [&](TimeRange r) {
            return overlapLength(busy_, {r.begin - evidence_.doubt, r.end + evidence_.doubt}) == 0;
        });
        if (paused.size() < kFewestReadings || medianOf(paused) > kWorking * workingWatts())
            return {};
        return paused;
    }

    // Readings at one level next to the run while the log calls the device idle; `it` is the nearest one. The very
    // nearest may share a row with the work, or, as far as the alignment is in doubt, lie in it.
    template <class Iterator>
    [[nodiscard]] Windows levelFrom(Iterator it, Iterator end) const {
        const auto idle = [&](const PowerWindow &w) {
            return overlapLength(evidence_.idleByLog, w.range) == w.range.length();
        };
        const Ns from = it == end ? 0 : it->range.begin;
        const auto near = [&](const PowerWindow &w) {
            return std::abs(w.range.begin - from) <= evidence_.doubt + kNearest * w.range.length();
        };
        while (it != end && near(*it) && !idle(*it))
            ++it;
        Windows level;
        std::vector<double> watts;
        for (; it != end && idle(*it); ++it) {
            level.push_back(*it);
            watts.push_back(it->watts);
        }
        if (!level.empty())
            level.resize(levelSegments(watts, kFewestReadings).front().end);
        std::sort(level.begin(), level.end(),
                  [](const auto &a, const auto &b) { return a.range.end < b.range.end; });
        return level;
    }

    // The higher of both sides: with the context held and the clocks up. None where it is not above the deep
    // floor.
    [[nodiscard]] Windows besideTheRun() const {
        if (evidence_.idleByLog.empty() || busy_.empty())
            return {};
        const Windows &all = evidence_.windows;
        const Ns first = busy_.front().begin;
        const Ns last = busy_.back().end;
        const auto run = std::partition_point(all.begin(), all.end(),
                                              [&](const PowerWindow &w) { return w.range.end <= first; });
        const auto rest = std::partition_point(all.begin(), all.end(),
                                               [&](const PowerWindow &w) { return w.range.begin < last; });
        Windows best;
        for (Windows side : {levelFrom(std::make_reverse_iterator(run), all.rend()), levelFrom(rest, all.end())})
            if (side.size() >= kFewestReadings && (best.empty() || medianOf(side) > medianOf(best)))
                best = std::move(side);
        const bool deep = !best.empty() && floor_.deep && sameLevel(medianOf(best), *floor_.deep);
        return deep || (!best.empty() && medianOf(best) > lowestInRun()) ? Windows{} : best;
    }

    bool fromReadings() {
        const Windows pauses = inPauses();
        const Windows beside = besideTheRun();
        const bool hot = !pauses.empty() && !beside.empty() && medianOf(pauses) > kHotPauses * medianOf(beside);
        if (!pauses.empty() && !hot) {
            give(floor_, "pauses", levelOf(pauses, evidence_.quantumW),
                 "active from " + std::to_string(pauses.size()) + " readings in pauses");
            return true;
        }
        const Level level = beside.empty() ? Level{} : levelOf(beside, evidence_.quantumW);
        if (beside.empty() || halfOf(level.ci95) > kWidestHalf * level.watts)
            return false;
        give(floor_, "beside", level,
             "active from " + std::to_string(beside.size()) + " idle readings next to the run");
        if (hot)
            addSource(floor_, "readings in pauses (" + text(medianOf(pauses)) + " W) are too high to be idle");
        return true;
    }

    bool fromTheIntercept() {
        const auto fit = fitFloor(evidence_);
        if (!fit)
            return false;
        const double least = floor_.deep.value_or(0);
        const double most = std::max(least, lowestInRun());
        const bool possible = fit->watts >= least && fit->watts <= most && fit->watts <= kWorking * workingWatts();
        if (!possible || halfOf(fit->ci95) > kWidestHalf * fit->watts)
            return false;
        const double step = evidence_.quantumW / 2;
        const Interval ci{std::max(fit->ci95.low - step, least), std::min(fit->ci95.high + step, most)};
        give(floor_, "regression", {fit->watts, ci},
             "active from power over what ran in " + std::to_string(fit->windows) +
                 " windows, of which the least busy worked for " + text(100 * fit->lowestShare) + " %");
        return true;
    }

    void sayUnknown() {
        floor_.method = "unknown";
        const double most = lowestInRun();
        if (std::isfinite(most) && most >= floor_.deep.value_or(0))
            floor_.activeCi95 = Interval{floor_.deep.value_or(0), most};
        addSource(floor_,
                  "active not seen: no reading lies wholly in an idle stretch, and the run is too evenly busy "
                  "to draw power on to idleness");
    }

    // Median reading of windows that worked for most of their time; infinite where there is none.
    [[nodiscard]] double workingWatts() const {
        const auto working =
            windowsWhere(inside_, [&](TimeRange r) { return 2 * overlapLength(busy_, r) > r.length(); });
        return working.empty() ? std::numeric_limits<double>::infinity() : medianOf(working);
    }

    // Noise makes the very lowest reading too low: the third.
    [[nodiscard]] double lowestInRun() const {
        std::vector<double> values;
        for (const PowerWindow &window : inside_)
            values.push_back(window.watts);
        if (values.empty())
            return std::numeric_limits<double>::infinity();
        const std::size_t rank = std::min<std::size_t>(2, values.size() - 1);
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
        return values[rank];
    }

    const FloorEvidence &evidence_;
    Windows inside_;
    IntervalSet busy_;
    IdleFloor floor_;
};

}  // namespace

IdleFloor estimateFloors(const FloorEvidence &evidence) {
    return Estimator(evidence).estimate();
}

double staticWatts(const IdleFloor &floor) {
    return floor.active.value_or(floor.deep.value_or(0));
}

}  // namespace wattproof::analysis
