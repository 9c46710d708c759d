// The import of one request, latency or quality log: what its readers found, and what is written once all is
// known.
#pragma once

#include "importers/importer.h"
#include "importers/power/log_clock.h"
#include "importers/power/sample_spool.h"
#include "importers/power/tally.h"
#include "importers/profile/record_spool.h"
#include "importers/requests/log_rules.h"
#include "importers/requests/request_checks.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::requests {

// A request with the times that its file states. Without a start only its length is known, and its attributes say
// "untimed": true.
struct StatedRequest {
    std::string name, attributesJson;
    std::optional<Ns> start;
    Ns dur = 0;
    std::optional<double> units;
    bool ok = true;
    std::optional<Ns> firstToken;  // after the start
    std::string id;                // empty: none of the log's own
    std::uint64_t line = 0;        // 0: no position
};

class LogRun {
public:
    LogRun(Input &, store::BulkWriter &, const Options &, const Task &, const LogRules &);
    [[nodiscard]] Status begin();

    [[nodiscard]] Input &input() { return input_; }
    [[nodiscard]] const LogRules &rules() const { return rules_; }
    [[nodiscard]] Tally &tally() { return tally_; }
    [[nodiscard]] RequestChecks &checks() { return checks_; }
    // One for each column of times: they share the zone, and the first that reads a stamp decides the basis.
    [[nodiscard]] LogClock newClock(StampUnit numericUnit) const;
    void settle(const LogClock &);
    void settle(ClockBasis, std::string zone);

    // To be called every few thousand records: cancelled(), and at most ten progress reports a second.
    [[nodiscard]] Status checkpoint();
    void countRecord() { ++records_; }
    [[nodiscard]] std::int64_t records() const { return records_; }

    [[nodiscard]] Status add(const StatedRequest &);
    void add(QualityRow);
    void addMetadata(std::string_view key, std::string_view value);
    // A value of a curve over time: of one name, made at its first value.
    void addSample(const std::string &name, const SeriesRule &, Ns stated, double value);
    // When the run was, where the log has no times of its own, or only those of its records.
    void setWindow(std::optional<Ns> begin, std::optional<Ns> end);
    [[nodiscard]] std::optional<Ns> windowBegin() const { return windowBegin_; }

    // The end of the input, damaged or not; a refusal where nothing was understood.
    [[nodiscard]] Expected<Summary> finish(std::string_view whatIsMissing);

private:
    struct Curve {
        std::string name;
        SeriesRule rule;
        std::size_t spool = 0;
    };
    [[nodiscard]] SourceRow sourceRow() const;
    [[nodiscard]] Status writeRequests(SourceId, Ns base, Summary &);
    [[nodiscard]] Status writeCurves(SourceId, Ns base, Summary &);
    void writeMetadata(SourceId);
    void noteEnd();

    Input &input_;
    store::BulkWriter &writer_;
    const Options &options_;
    const Task &task_;
    const LogRules &rules_;
    Tally tally_;
    RequestChecks checks_{tally_};
    std::optional<TimeZone> zone_;
    ClockBasis basis_ = ClockBasis::None;
    std::string zoneText_;
    RecordSpool spool_;
    std::vector<QualityRow> quality_;
    std::vector<MetadataRow> metadata_;
    std::vector<Curve> curves_;
    std::map<std::string, std::size_t> curveByName_;
    SampleSpool samples_;
    std::optional<Ns> earliest_, windowBegin_, windowEnd_;
    std::int64_t records_ = 0, requests_ = 0, sampleCount_ = 0;
    std::chrono::steady_clock::time_point reported_{};
};

}  // namespace wattproof::importers::requests
