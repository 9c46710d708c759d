#include "importers/session_writer.h"

#include "importers/table/quantity_text.h"
#include "importers/wishes.h"
#include "store/version.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <utility>

namespace wattproof::importers {
namespace {

std::string importMoment() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return {text, length};
}

std::string fileName(const std::string &path) {
    return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

SessionWriter::SessionWriter(store::BulkWriter &target, std::vector<KnownDevice> known, const Options &options)
    : ForwardingWriter(target), known_(std::move(known)), options_(options), importedAt_(importMoment()) {}

SourceRow SessionWriter::stamped(SourceRow row) const {
    if (row.importedAt.empty())
        row.importedAt = importedAt_;
    if (row.toolVersion.empty())
        row.toolVersion = toolVersion();
    return row;
}

Expected<SourceId> SessionWriter::addSource(const SourceRow &row) {
    source_ = stamped(row);
    Expected<SourceId> id = target().addSource(source_);
    if (id)
        source_.id = *id;
    return id;
}

Status SessionWriter::updateSource(const SourceRow &row) {
    return target().updateSource(stamped(row));
}

DeviceId SessionWriter::addDevice(const DeviceRow &row) {
    if (const auto match = matchDevice(row, source_.kind, known_)) {
        noteMatch(row, *match);
        return known_[match->index].row.id;
    }
    KnownDevice device{row, source_.kind, source_.path};
    device.row.id = target().addDevice(row);
    current_.push_back(device);
    return device.row.id;
}

// A row that another source owns keeps what that source said of it.
void SessionWriter::updateDevice(const DeviceRow &row) {
    const auto same = [&row](const KnownDevice &device) { return device.row.id == row.id; };
    const auto own = std::find_if(current_.begin(), current_.end(), same);
    if (own == current_.end())
        return;
    own->row = row;
    target().updateDevice(row);
}

void SessionWriter::noteMatch(const DeviceRow &row, const DeviceMatch &match) {
    const KnownDevice &other = known_[match.index];
    const std::string sentence = "is taken to be " + other.row.name + " of " + fileName(other.sourcePath) + ": " +
                                 match.reason + ", confidence " + shortNumber(match.confidence);
    target().addMetadata({source_.id, "device_alias." + row.name, sentence});
    notes_.push_back(row.name + " of " + fileName(source_.path) + " " + sentence);
}

void SessionWriter::keepWishes() {
    for (auto &[key, value] : wishesOf(optionsOf(options_, source_.path), source_.kind))
        addMetadata({source_.id, key, value});
}

Status SessionWriter::writeTrackSlices(TrackId track, std::span<SliceRow> slices,
                                       std::span<const std::int32_t> parents) {
    watch_.note(slices);
    return target().writeTrackSlices(track, slices, parents);
}

Status SessionWriter::writeSamples(CounterId counter, std::span<const Sample> samples) {
    if (source_.kind == SourceKind::Trace)
        watch_.note(samples);
    return target().writeSamples(counter, samples);
}

void SessionWriter::keepMainCluster() {
    ownWarnings_.clear();
    const auto cluster = watch_.finish();
    if (!cluster)
        return;
    for (const MetadataRow &row : store::metadataOf(*cluster, source_.id))
        target().addMetadata(row);
    ownWarnings_.push_back(warningOf(*cluster, source_.id));
    target().addWarning(ownWarnings_.back());
}

Status SessionWriter::finishSource(SourceId id) {
    keepWishes();
    keepMainCluster();
    std::move(current_.begin(), current_.end(), std::back_inserter(known_));
    current_.clear();
    return target().finishSource(id);
}

}  // namespace wattproof::importers
