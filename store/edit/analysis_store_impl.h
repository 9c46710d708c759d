// The results of the last analysis, on the workspace's one writing connection.
#pragma once

#include "store/analysis_store.h"
#include "store/edit/write_access.h"

namespace wattproof::store {

// Forgets the last analysis.
[[nodiscard]] Status clearAnalysis(const sqlite::Database &);

class AnalysisStoreImpl : public AnalysisStore {
public:
    explicit AnalysisStoreImpl(WriteAccess &access) : access_(access) {}

    Status replace(const AnalysisRows &) override;
    Expected<std::vector<DeviceStateRow>> deviceStates() override;
    Expected<std::vector<ClampRow>> clamps() override;
    Expected<std::vector<FindingRow>> findings() override;
    Expected<std::optional<std::string>> resultJson() override;

private:
    WriteAccess &access_;
};

}  // namespace wattproof::store
