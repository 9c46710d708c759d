#include "importers/look/preview_writer.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr std::size_t kFirstSamples = 40;
constexpr Ns kPeriodsBridged = 5;  // as energy does (docs/methods.md)

struct Coverage {
    double share = 1;
    Ns longestGap = 0;
};

std::optional<Coverage> coverageOf(std::span<const Sample> samples) {
    if (samples.size() < 3 || samples.back().ts <= samples.front().ts)
        return std::nullopt;
    std::vector<Ns> steps;
    steps.reserve(samples.size() - 1);
    for (std::size_t i = 1; i < samples.size(); ++i)
        steps.push_back(samples[i].ts - samples[i - 1].ts);
    std::vector<Ns> sorted = steps;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    Coverage coverage;
    Ns missing = 0;
    for (const Ns step : steps) {
        coverage.longestGap = std::max(coverage.longestGap, step);
        missing += step > kPeriodsBridged * *middle ? step : 0;
    }
    coverage.share = 1 - static_cast<double>(missing) / static_cast<double>(samples.back().ts - samples.front().ts);
    return coverage;
}

}  // namespace

Expected<SourceId> PreviewWriter::addSource(const SourceRow &row) {
    source_ = row;
    source_.id = SourceId(1);
    return source_.id;
}

Status PreviewWriter::updateSource(const SourceRow &row) {
    source_ = row;
    return {};
}

DeviceId PreviewWriter::addDevice(const DeviceRow &row) {
    const DeviceId id(++rows_);
    devices_[id] = row;
    return id;
}

void PreviewWriter::updateDevice(const DeviceRow &row) {
    devices_[row.id] = row;
}

CounterId PreviewWriter::addCounter(const CounterRow &row) {
    const CounterId id(++rows_);
    channels_[id].row = row;
    return id;
}

void PreviewWriter::updateCounter(const CounterRow &row) {
    channels_[row.id].row = row;
}

void PreviewWriter::cover(Ns begin, Ns end) {
    if (!span_)
        span_ = TimeRange{begin, end};
    span_->begin = std::min(span_->begin, begin);
    span_->end = std::max(span_->end, end);
}

Status PreviewWriter::writeTrackSlices(TrackId, std::span<SliceRow> slices, std::span<const std::int32_t>) {
    for (SliceRow &slice : slices) {
        slice.id = SliceId(++rows_);
        cover(slice.ts, slice.ts + slice.dur);
    }
    slices_ += static_cast<std::int64_t>(slices.size());
    return {};
}

Status PreviewWriter::writeSamples(CounterId counter, std::span<const Sample> samples) {
    samples_ += static_cast<std::int64_t>(samples.size());
    if (samples.empty())
        return {};
    cover(samples.front().ts, samples.back().ts);
    Channel &channel = channels_[counter];
    const auto [least, most] = std::minmax_element(samples.begin(), samples.end(),
                                                   [](const Sample &a, const Sample &b) { return a.value < b.value; });
    channel.look.samples = static_cast<std::int64_t>(samples.size());
    channel.look.least = least->value;
    channel.look.most = most->value;
    channel.look.first.assign(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(
                                                                     std::min(samples.size(), kFirstSamples)));
    if (const auto coverage = coverageOf(samples)) {
        channel.coverage = coverage->share;
        channel.longestGap = coverage->longestGap;
    }
    return {};
}

Status PreviewWriter::writeThreadStates(std::span<const ThreadStateRow> states) {
    for (const ThreadStateRow &state : states)
        cover(state.ts, state.ts + state.dur);
    return {};
}

Status PreviewWriter::writeRequests(SourceId, std::span<const RequestRow> rows) {
    for (const RequestRow &row : rows)
        cover(row.ts, row.ts + row.dur);
    requests_ += static_cast<std::int64_t>(rows.size());
    return {};
}

Status PreviewWriter::writeQuality(SourceId, std::span<const QualityRow> rows) {
    figures_ += static_cast<std::int64_t>(rows.size());
    return {};
}

void PreviewWriter::addWarning(const WarningRow &row) {
    for (WarningRow &own : warnings_)
        if (own.kind == row.kind) {
            own.count += row.count;
            return;
        }
    warnings_.push_back(row);
}

std::string PreviewWriter::deviceName(DeviceId id) const {
    const auto device = devices_.find(id);
    return device == devices_.end() ? std::string() : device->second.name;
}

void PreviewWriter::describe(FileLook &look) const {
    look.kind = source_.kind;
    look.format = source_.format;
    look.clock = source_.clock;
    look.zone = source_.zone;
    look.slices = slices_;
    look.samples = samples_;
    look.requests = requests_;
    look.figures = figures_;
    look.warnings = warnings_;
    if (span_)
        look.span = TimeRange{span_->begin + source_.statedBase, span_->end + source_.statedBase};
    for (const auto &[id, device] : devices_)
        look.devices.push_back(device.model.empty() ? device.name : device.name + " · " + device.model);
    for (const auto &[id, channel] : channels_) {
        if (channel.look.samples == 0)
            continue;
        ChannelLook shown = channel.look;
        shown.name = channel.row.name;
        shown.device = deviceName(channel.row.device);
        shown.quantity = channel.row.quantity;
        shown.unit = channel.row.unit;
        shown.kind = channel.row.kind;
        for (Sample &sample : shown.first)
            sample.ts += source_.statedBase;
        look.channels.push_back(std::move(shown));
        const bool counts = channel.row.quantity == "power" || channel.row.quantity == "energy";
        if (counts && channel.coverage && *channel.coverage <= look.coverage.value_or(1)) {
            look.coverage = channel.coverage;
            look.longestGap = std::max(look.longestGap, channel.longestGap);
        }
    }
}

}  // namespace wattproof::importers
