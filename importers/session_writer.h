// The writer that a session's importers share: everything goes through to the store, but an accelerator that
// another source has described already becomes one row, every source carries when, how and by what it was imported,
// and a trace whose events are not all in one place says where its main part is (store/main_cluster.h).
#pragma once

#include "importers/cluster_watch.h"
#include "importers/device_match.h"
#include "importers/forwarding_writer.h"
#include "importers/importer.h"

#include <string>
#include <vector>

namespace wattproof::importers {

class SessionWriter final : public ForwardingWriter {
public:
    // known: devices of sources that the workspace holds already. The user's wishes for the import are kept with each
    // source, so that it can be read anew in the same way.
    SessionWriter(store::BulkWriter &target, std::vector<KnownDevice> known, const Options &);

    [[nodiscard]] const std::vector<KnownDevice> &known() const { return known_; }
    // What was taken to be one device, as sentences for the summary.
    [[nodiscard]] const std::vector<std::string> &notes() const { return notes_; }

    Expected<SourceId> addSource(const SourceRow &) override;
    Status updateSource(const SourceRow &) override;
    DeviceId addDevice(const DeviceRow &) override;
    void updateDevice(const DeviceRow &) override;
    Status writeTrackSlices(TrackId, std::span<SliceRow>, std::span<const std::int32_t> parents) override;
    Status writeSamples(CounterId, std::span<const Sample>) override;
    Status finishSource(SourceId) override;

    // Warnings that the writer itself gave the source that was finished last: the importer's summary lacks them.
    [[nodiscard]] const std::vector<WarningRow> &ownWarnings() const { return ownWarnings_; }

private:
    [[nodiscard]] SourceRow stamped(SourceRow row) const;
    void noteMatch(const DeviceRow &row, const DeviceMatch &match);
    void keepWishes();
    void keepMainCluster();

    std::vector<KnownDevice> known_;    // of finished sources
    std::vector<KnownDevice> current_;  // of the source being written
    std::vector<std::string> notes_;
    SourceRow source_;
    const Options &options_;
    std::string importedAt_;
    ClusterWatch watch_;
    std::vector<WarningRow> ownWarnings_;
};

}  // namespace wattproof::importers
