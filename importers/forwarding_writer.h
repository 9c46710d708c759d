// A writer that hands everything on to another one: what those that stand in between have in common.
#pragma once

#include "store/bulk_writer.h"

namespace wattproof::importers {

class ForwardingWriter : public store::BulkWriter {
public:
    explicit ForwardingWriter(store::BulkWriter &target) : target_(target) {}

    Expected<SourceId> addSource(const SourceRow &row) override { return target_.addSource(row); }
    Status updateSource(const SourceRow &row) override { return target_.updateSource(row); }
    DeviceId addDevice(const DeviceRow &row) override { return target_.addDevice(row); }
    void updateDevice(const DeviceRow &row) override { target_.updateDevice(row); }
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
    Status finishSource(SourceId id) override { return target_.finishSource(id); }
    Status commit() override { return target_.commit(); }

protected:
    [[nodiscard]] store::BulkWriter &target() { return target_; }

private:
    store::BulkWriter &target_;
};

}  // namespace wattproof::importers
