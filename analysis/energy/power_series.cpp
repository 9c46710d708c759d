#include "analysis/energy/power_series.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wattproof::analysis {
namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kSteppedShare =
    0.05;  // of the median period: an interval this short is a step of the clock, if with it
constexpr double kSteppedPower = 20;  // the power would be this many times the mean

double toSeconds(Ns ns) {
    return static_cast<double>(ns) / kNsPerSecond;
}

Ns medianNs(std::vector<Ns> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    const Ns below = *std::max_element(values.begin(), middle);
    return below + (*middle - below) / 2;
}

Ns medianDistance(const std::vector<Sample> &samples) {
    std::vector<Ns> distances;
    distances.reserve(samples.size());
    for (std::size_t i = 1; i < samples.size(); ++i)
        if (samples[i].ts > samples[i - 1].ts)
            distances.push_back(samples[i].ts - samples[i - 1].ts);
    return medianNs(std::move(distances));
}

bool isAfter(Ns t, const Sample &s) {
    return t < s.ts;
}

}  // namespace

PowerSeries::PowerSeries(CounterRow channel, std::vector<Sample> samples, Ns maxGap)
    : channel_(std::move(channel)), samples_(std::move(samples)) {
    std::erase_if(samples_, [](const Sample &s) { return !std::isfinite(s.value); });
    medianPeriod_ = medianDistance(samples_);
    maxGap_ = maxGap > 0 ? maxGap : kPeriodsBridged * medianPeriod_;
    if (samples_.empty())
        return;
    extent_ = {samples_.front().ts - leadIn(), samples_.back().ts};
    integrate();
}

// Length of the interval that the first sample closes.
Ns PowerSeries::leadIn() const {
    if (channel_.kind == CounterKind::Run)
        return channel_.sensor.window;
    if (channel_.kind == CounterKind::Mean || channel_.kind == CounterKind::Delta)
        return medianPeriod_ > 0 ? medianPeriod_ : channel_.sensor.period;
    return 0;
}

// Whether nothing is known of the interval between sample i and the one before it.
bool PowerSeries::breaks(std::size_t i) const {
    if (channel_.kind == CounterKind::Counter)
        return samples_[i].value < samples_[i - 1].value &&
               samples_[i].value + static_cast<double>(channel_.modulus) < samples_[i - 1].value;
    return samples_[i].ts - samples_[i - 1].ts > maxGap_;
}

// Where the integrated part of the interval that ends at sample i begins; its own ts when there is none.
Ns PowerSeries::segmentStart(std::size_t i) const {
    const Ns end = samples_[i].ts;
    if (i == 0)
        return extent_.begin;
    const Ns previous = samples_[i - 1].ts;
    if (channel_.kind == CounterKind::Run)
        return std::max(previous, channel_.sensor.window > 0 ? end - channel_.sensor.window : previous);
    if (!breaks(i))
        return previous;
    return channel_.kind == CounterKind::Delta ? end - medianPeriod_ : end;
}

double PowerSeries::segmentJoules(std::size_t i) const {
    const double value = samples_[i].value;
    const double length = toSeconds(samples_[i].ts - segmentStart(i));
    switch (channel_.kind) {
        case CounterKind::Gauge:
            return i == 0 ? 0.0 : (samples_[i - 1].value + value) / 2 * length;
        case CounterKind::Mean:
            return value * length;
        case CounterKind::Run:
            return channel_.unit == "W" ? value * length : value;
        case CounterKind::Delta:
            return value;
        case CounterKind::Counter: {
            if (i == 0 || breaks(i))
                return 0.0;
            const double difference = value - samples_[i - 1].value;
            return difference < 0 ? difference + static_cast<double>(channel_.modulus) : difference;
        }
        case CounterKind::Flags:
            break;
    }
    return 0.0;
}

void PowerSeries::integrate() {
    cumulativeJ_.resize(samples_.size());
    long double sum = 0;
    std::vector<TimeRange> covered;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        sum += segmentJoules(i);
        cumulativeJ_[i] = static_cast<double>(sum);
        const TimeRange segment{segmentStart(i), samples_[i].ts};
        if (!covered.empty() && covered.back().end == segment.begin)
            covered.back().end = segment.end;
        else if (!segment.empty())
            covered.push_back(segment);
    }
    covered_ = std::move(covered);
    gaps_ = complement(covered_, extent_);
}

const CounterRow &PowerSeries::channel() const {
    return channel_;
}
const std::vector<Sample> &PowerSeries::samples() const {
    return samples_;
}
TimeRange PowerSeries::extent() const {
    return extent_;
}
Ns PowerSeries::medianPeriod() const {
    return medianPeriod_;
}
Ns PowerSeries::maxGap() const {
    return maxGap_;
}
const IntervalSet &PowerSeries::covered() const {
    return covered_;
}
const IntervalSet &PowerSeries::gaps() const {
    return gaps_;
}

// Whether the interval before sample i is that of a clock that was set: its energy is right, its length is not.
bool PowerSeries::clockStepped(std::size_t i) const {
    if (channel_.kind != CounterKind::Counter && channel_.kind != CounterKind::Delta)
        return false;
    const double length = toSeconds(samples_[i].ts - segmentStart(i));
    const double mean = cumulativeJ_.back() / std::max(toSeconds(extent_.length()), 1e-9);
    return length < kSteppedShare * toSeconds(medianPeriod_) && segmentJoules(i) > kSteppedPower * mean * length;
}

double PowerSeries::joulesUpTo(Ns t) const {
    const auto it = std::upper_bound(samples_.begin(), samples_.end(), t, isAfter);
    const auto i = static_cast<std::size_t>(it - samples_.begin());
    const double before = i == 0 ? 0.0 : cumulativeJ_[i - 1];
    if (i == samples_.size())
        return before;
    const Ns start = segmentStart(i);
    if (t <= start)
        return before;
    const double whole = toSeconds(samples_[i].ts - start);
    const double part = toSeconds(t - start);
    if (channel_.kind != CounterKind::Gauge)
        return before + segmentJoules(i) * (part / whole);
    const double first = samples_[i - 1].value;
    const double slope = (samples_[i].value - first) / whole;
    return before + (first + slope * part / 2) * part;
}

EnergyOfRange PowerSeries::energy(TimeRange range) const {
    EnergyOfRange result;
    if (range.empty())
        return result;
    if (samples_.empty()) {
        result.outsideS = toSeconds(range.length());
        return result;
    }
    const TimeRange inside{std::max(range.begin, extent_.begin), std::min(range.end, extent_.end)};
    result.outsideS = toSeconds(range.length() - std::max<Ns>(inside.length(), 0));
    if (inside.empty())
        return result;
    result.j = joulesUpTo(inside.end) - joulesUpTo(inside.begin);
    const Ns covered = overlapLength(covered_, inside);
    result.coveredS = toSeconds(covered);
    result.missingS = toSeconds(inside.length() - covered);
    auto gap = std::partition_point(gaps_.begin(), gaps_.end(),
                                    [&](const TimeRange &g) { return g.end <= inside.begin; });
    for (; gap != gaps_.end() && gap->begin < inside.end; ++gap)
        result.longestGapS = std::max(
            result.longestGapS, toSeconds(std::min(gap->end, inside.end) - std::max(gap->begin, inside.begin)));
    return result;
}

EnergyOfRange PowerSeries::energy(const IntervalSet &set) const {
    EnergyOfRange total;
    for (const TimeRange &range : set) {
        const EnergyOfRange part = energy(range);
        total.j += part.j;
        total.coveredS += part.coveredS;
        total.missingS += part.missingS;
        total.outsideS += part.outsideS;
        total.longestGapS = std::max(total.longestGapS, part.longestGapS);
    }
    return total;
}

std::optional<double> PowerSeries::watts(Ns t) const {
    if (samples_.empty() || t < extent_.begin || t > extent_.end)
        return std::nullopt;
    const auto it =
        std::partition_point(samples_.begin(), samples_.end(), [t](const Sample &s) { return s.ts < t; });
    auto i = static_cast<std::size_t>(it - samples_.begin());
    if (channel_.kind == CounterKind::Gauge && samples_[i].ts == t)
        return samples_[i].value;
    if (i == 0 && channel_.kind == CounterKind::Counter && samples_.size() > 1)
        i = 1;  // a counter says nothing before its first sample, but what follows it starts there
    const Ns start = segmentStart(i);
    if (start >= samples_[i].ts || t < start || clockStepped(i))
        return std::nullopt;
    if (channel_.kind != CounterKind::Gauge)
        return segmentJoules(i) / toSeconds(samples_[i].ts - start);
    const double share = toSeconds(t - start) / toSeconds(samples_[i].ts - start);
    return samples_[i - 1].value + (samples_[i].value - samples_[i - 1].value) * share;
}

std::vector<Sample> PowerSeries::updates() const {
    const Ns period = channel_.sensor.period;
    if (period <= medianPeriod_ || samples_.empty())
        return samples_;
    std::vector<Sample> kept{samples_.front()};
    for (const Sample &s : samples_)
        if (s.value != kept.back().value || s.ts - kept.back().ts >= period - medianPeriod_ / 2)
            kept.push_back(s);
    return kept;
}

}  // namespace wattproof::analysis
