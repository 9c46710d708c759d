// The writer that a session's importers share: everything goes through to the store, but an accelerator that
// another source has described already becomes one row, and every source carries when and by what it was imported.
#pragma once

#include "importers/device_match.h"
#include "store/bulk_writer.h"

#include <string>
#include <vector>

namespace wattproof::importers {

class SessionWriter final : public store::BulkWriter {
public:
    // known: devices of sources that the workspace holds already.
    SessionWriter(store::BulkWriter &target, std::vector<KnownDevice> known);

    [[nodiscard]] const std::vector<KnownDevice> &known() const { return known_; }
    // What was taken to be one device, as sentences for the summary.
    [[nodiscard]] const std::vector<std::string> &notes() const { return notes_; }

    Expected<SourceId> addSource(const SourceRow &) override;
    Status updateSource(const SourceRow &) override;
    DeviceId addDevice(const DeviceRow &) override;
    void updateDevice(const DeviceRow &) override;
    Status finishSource(SourceId) override;
    Status commit() override { return target_.commit(); }

    ProcessId addProcess(const ProcessRow &row) override { return target_.addProcess(row); }
    void updateProcess(const ProcessRow &row) override { target_.updateProcess(row); }
    ThreadId addThread(const ThreadRow &row) override { return target_.addThread(row); }
    void updateThread(const ThreadRow &row) override { target_.updateThread(row); }
    TrackId addTrack(const TrackRow &row) override { return target_.addTrack(row); }
    void updateTrack(const TrackRow &row) override { target_.updateTrack(row); }
    CounterId addCounter(const CounterRow &row) override { return target_.addCounter(row); }
    void updateCounter(const CounterRow &row) override { target_.updateCounter(row); }
    StringId intern(std::string_view text) override { return target_.intern(text); }
    void classifyName(StringId name, std::string_view opClass, std::string_view precision) override {
        target_.classifyName(name, opClass, precision);
    }
    std::int64_t internArgShape(std::string_view keys) override { return target_.internArgShape(keys); }
    ArgSetId addArgs(std::int64_t shape, std::string_view values) override {
        return target_.addArgs(shape, values);
    }
    Status writeTrackSlices(TrackId track, std::span<SliceRow> slices,
                            std::span<const std::int32_t> parents) override {
        return target_.writeTrackSlices(track, slices, parents);
    }
    Status writeGpuOps(std::span<const GpuOpRow> rows) override { return target_.writeGpuOps(rows); }
    Status writeFlows(std::span<const FlowRow> rows) override { return target_.writeFlows(rows); }
    Status writeSamples(CounterId counter, std::span<const Sample> samples) override {
        return target_.writeSamples(counter, samples);
    }
    Status writeThreadStates(std::span<const ThreadStateRow> rows) override {
        return target_.writeThreadStates(rows);
    }
    Status writeRequests(SourceId source, std::span<const RequestRow> rows) override {
        return target_.writeRequests(source, rows);
    }
    Status writeQuality(SourceId source, std::span<const QualityRow> rows) override {
        return target_.writeQuality(source, rows);
    }
    void addMetadata(const MetadataRow &row) override { target_.addMetadata(row); }
    void addWarning(const WarningRow &row) override { target_.addWarning(row); }
    bool hasSource(std::string_view sha256) override { return target_.hasSource(sha256); }

private:
    [[nodiscard]] SourceRow stamped(SourceRow row) const;
    void noteMatch(const DeviceRow &row, const DeviceMatch &match);

    store::BulkWriter &target_;
    std::vector<KnownDevice> known_;    // of finished sources
    std::vector<KnownDevice> current_;  // of the source being written
    std::vector<std::string> notes_;
    SourceRow source_;
    std::string importedAt_;
};

}  // namespace wattproof::importers
