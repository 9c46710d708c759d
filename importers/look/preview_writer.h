// A writer that stores nothing: it keeps what a look at a file shows.
#pragma once

#include "store/bulk_writer.h"
#include "store/import_plan.h"

#include <map>

namespace wattproof::importers {

class PreviewWriter final : public store::BulkWriter {
public:
    // Times in the look are stated ones. Coverage is that of the power or energy channel with the least.
    void describe(FileLook &) const;

    Expected<SourceId> addSource(const SourceRow &row) override;
    Status updateSource(const SourceRow &row) override;
    DeviceId addDevice(const DeviceRow &row) override;
    void updateDevice(const DeviceRow &row) override;
    ProcessId addProcess(const ProcessRow &) override { return ProcessId(++rows_); }
    void updateProcess(const ProcessRow &) override {}
    ThreadId addThread(const ThreadRow &) override { return ThreadId(++rows_); }
    void updateThread(const ThreadRow &) override {}
    TrackId addTrack(const TrackRow &) override { return TrackId(++rows_); }
    void updateTrack(const TrackRow &) override {}
    CounterId addCounter(const CounterRow &row) override;
    void updateCounter(const CounterRow &row) override;
    StringId intern(std::string_view) override { return StringId(++rows_); }
    void classifyName(StringId, std::string_view, std::string_view) override {}
    std::int64_t internArgShape(std::string_view) override { return ++rows_; }
    ArgSetId addArgs(std::int64_t, std::string_view) override { return ArgSetId(++rows_); }
    Status writeTrackSlices(TrackId, std::span<SliceRow>, std::span<const std::int32_t>) override;
    Status writeGpuOps(std::span<const GpuOpRow>) override { return {}; }
    Status writeFlows(std::span<const FlowRow>) override { return {}; }
    Status writeSamples(CounterId, std::span<const Sample>) override;
    Status writeThreadStates(std::span<const ThreadStateRow>) override;
    Status writeRequests(SourceId, std::span<const RequestRow>) override;
    Status writeQuality(SourceId, std::span<const QualityRow>) override;
    void addMetadata(const MetadataRow &) override {}
    void addWarning(const WarningRow &row) override;
    bool hasSource(std::string_view) override { return false; }
    Status finishSource(SourceId) override { return {}; }
    Status commit() override { return {}; }

private:
    struct Channel {
        CounterRow row;
        ChannelLook look;
        std::optional<double> coverage;
        Ns longestGap = 0;
    };
    void cover(Ns begin, Ns end);
    [[nodiscard]] std::string deviceName(DeviceId) const;

    std::int64_t rows_ = 0;
    SourceRow source_;
    std::map<DeviceId, DeviceRow> devices_;
    std::map<CounterId, Channel> channels_;
    std::vector<WarningRow> warnings_;
    std::optional<TimeRange> span_;
    std::int64_t slices_ = 0, samples_ = 0, requests_ = 0, figures_ = 0;
};

}  // namespace wattproof::importers
