// Progress, and what is left to do once all rows of a log are read: warnings of the whole, devices, channels and
// metadata.
#include "importers/power/power_run.h"
#include "importers/table/quantity_text.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr auto kReportEvery = std::chrono::milliseconds(100);

}  // namespace

Status PowerRun::checkTask() {
    if (task_.cancelled())
        return cancelled();
    const auto now = std::chrono::steady_clock::now();
    if (now - reported_ >= kReportEvery) {
        reported_ = now;
        task_.report({"Reading " + input_.path(), input_.bytesConsumed(), input_.sizeBytes(), "bytes"});
    }
    return {};
}

// Damage of the stream, and lines too long to be rows.
void PowerRun::noteEnd() {
    if (!input_.damage().empty())
        tally_.add("truncated_input", 0, input_.damage());
    if (source_->longLines() > 0)
        tally_.add("malformed_row", source_->firstLongLine(),
                   "lines above 1 MiB are no rows of a table; they were skipped",
                   static_cast<std::int64_t>(source_->longLines()));
    if (source_->unreadable() > 0)
        tally_.add("malformed_row", source_->firstUnreadable(),
                   "places that are none of the form of " + descriptor_->title + " (damaged or cut) were skipped",
                   source_->unreadable());
    const auto &channels = channels_.all();
    const auto runs = std::count_if(channels.begin(), channels.end(), [](const Channel &channel) {
        return channel.rule->kind == CounterKind::Run && channel.count > 0;
    });
    if (runs > 0)
        tally_.add("run_total", 0, "energy is known for whole runs only: a part of one is given its share of time", runs);
    constexpr Ns kYear1980 = 315'532'800'000'000'000;
    if (earliest_ && *earliest_ < kYear1980 && clock_->basis() == ClockBasis::WallAssumedZone)
        tally_.add("unset_clock", 0, "the log's dates lie before 1980: the clock that wrote them was never set");
    if (events_ == 0)
        tally_.add("no_samples", 0, "the table has a header but no row with a time");
}

// A log that does not name its GPU is told by the session's trace which one it was.
void PowerRun::takeModels() {
    for (LogDevice &device : devices_->all()) {
        const auto match = matchDevice(device.row, SourceKind::Power, options_.known);
        device.model =
            !device.row.model.empty() || !match ? device.row.model : options_.known[match->index].row.model;
    }
}

void PowerRun::writeMetadata(SourceId source) {
    const auto add = [&](const std::string &key, const std::string &value) {
        if (!value.empty())
            writer_.addMetadata({source, key, value});
    };
    for (const LogDevice &device : devices_->all()) {
        add(device.row.name + ".name", device.row.model);
        add(device.row.name + ".uuid", device.row.uuid);
        add(device.row.name + ".pci.bus_id", device.row.pci);
    }
    for (const MetadataRow &row : metadata_)
        add(row.key, row.value);
    add("preamble", preamble_);
    add("columns_not_read", unread_);
    add("lines_not_read", notes_);
    if (filtered_ > 0)
        add("rows_not_read", std::to_string(filtered_));
    if (ticks_ > 0)
        add("period_s", shortNumber(period_));
    if (options_.maxGapSeconds)
        add("max_gap_s", shortNumber(*options_.maxGapSeconds));
}

// Simulators say so in the name of the device; a power table has no other place for it.
bool PowerRun::isSimulated() {
    const auto &devices = devices_->all();
    return std::any_of(devices.begin(), devices.end(), [](const LogDevice &device) {
        return device.row.model.find("(simulated)") != std::string::npos;
    });
}

Expected<Summary> PowerRun::finish(const Layout &layout) {
    Summary summary;
    summary.path = input_.path();
    summary.format = options_.format.empty() ? layout.descriptor->format : options_.format;
    summary.events = events_;
    SourceRow row;
    row.kind = SourceKind::Power;
    row.path = input_.path();
    row.format = summary.format;
    row.sizeBytes = input_.sizeBytes();
    row.clock = clock_->basis();
    row.zone = clock_->zoneText();
    row.statedBase = earliest_.value_or(0);
    row.simulated = isSimulated();
    Expected<std::string> hash = input_.sha256();
    if (!hash)
        return passOn(hash);
    row.sha256 = std::move(*hash);
    Expected<SourceId> source = writer_.addSource(row);
    if (!source)
        return passOn(source);
    summary.source = *source;
    summary.bytes = input_.position();
    takeModels();
    ChannelWriter channels(writer_, *source, devices_->all(), channels_, facts_, tally_, options_.maxGapSeconds);
    if (Status status = channels.write(row.statedBase, summary, task_); !status)
        return passOn(status);
    writeMetadata(*source);
    tally_.write(writer_, *source, summary);
    if (Status status = writer_.finishSource(*source); !status)
        return passOn(status);
    return summary;
}

}  // namespace wattproof::importers
