// The import of one tabular power log: rows in, channels out.
#pragma once

#include "importers/power/channels.h"
#include "importers/power/layout.h"
#include "importers/power/row_source.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace wattproof::importers {

class PowerRun {
public:
    PowerRun(Input &, store::BulkWriter &, const Options &, const Task &, const PowerResources &,
             const SensorFacts &);
    [[nodiscard]] Expected<Summary> run(const Layout &);

private:
    static constexpr std::size_t kMostNames = 4000;  // characters of a list in the metadata
    using Reading = std::tuple<std::size_t, std::string, std::size_t>;
    struct RowPlace {
        StepGuard::Placed at;
        std::uint64_t line = 0;
    };

    [[nodiscard]] Status openClock();
    [[nodiscard]] Status settlePeriod();
    [[nodiscard]] Status readPreamble(const Layout &);
    [[nodiscard]] Status bind(const std::vector<std::string> &header, std::uint64_t line);
    [[nodiscard]] Status readRows();
    void noteColumns();
    void takeRow(const TableRow &);
    void fitCells(TableRow &);
    [[nodiscard]] bool isFiltered(const TableRow &);
    [[nodiscard]] bool saysNothing(const TableRow &) const;
    void takePart(const TableRow &);
    [[nodiscard]] bool isOtherThanData(const TableRow &);
    [[nodiscard]] bool isHeaderAgain(const TableRow &);
    void takeSensorRow(const TableRow &);
    void giveOwnName(Channel &);
    [[nodiscard]] bool hasWholeShape(const TableRow &);
    [[nodiscard]] bool lastCellIsCut(const TableRow &);
    [[nodiscard]] Reading readingOf(const TableRow &, std::optional<std::size_t> device) const;
    [[nodiscard]] StepGuard::Track &trackOf(const TableRow &, std::optional<std::size_t> device);
    [[nodiscard]] Ns tick(const TableRow &, std::optional<std::size_t> device);
    [[nodiscard]] std::optional<Ns> statedTime(const TableRow &, std::optional<std::size_t> device);
    void noteSummerTime(const StepGuard::Placed &, Ns period, std::uint64_t line);
    [[nodiscard]] std::optional<RowPlace> place(const TableRow &, std::optional<std::size_t> device);
    void takeCells(const TableRow &, const RowPlace &, std::optional<std::size_t> rowDevice);
    void takeCell(BoundColumn &, std::size_t column, std::string_view cell, const TableRow &, const RowPlace &,
                  std::size_t device);
    [[nodiscard]] std::optional<std::size_t> fixedDevice(const BoundColumn &, std::optional<std::size_t> rowDevice);
    void takeDuration(std::string_view cell, std::size_t channel);
    void keepMetadata(const BoundColumn &, std::size_t column, std::string_view cell, LogDevice &);
    void takeBit(const BoundColumn &, std::string_view cell, LogDevice &);
    void flushMasks(const RowPlace &);
    [[nodiscard]] std::size_t channelOf(std::size_t device, std::size_t column);
    [[nodiscard]] std::optional<double> valueOf(BoundColumn &, std::string_view cell) const;
    void noteLost(std::string_view cell, LogDevice &, std::uint64_t line);
    [[nodiscard]] Status checkTask();
    [[nodiscard]] Expected<Summary> finish(const Layout &);
    void noteEnd();
    void takeModels();
    [[nodiscard]] bool isSimulated();
    void writeMetadata(SourceId);

    Input &input_;
    store::BulkWriter &writer_;
    const Options &options_;
    const Task &task_;
    const PowerResources &resources_;
    const SensorFacts &facts_;
    const Descriptor *descriptor_ = nullptr;
    std::unique_ptr<RowSource> source_;
    std::optional<LogClock> clock_;
    std::optional<LogDevices> devices_;
    std::optional<Binding> binding_;
    std::optional<Error> bindError_;  // of records that have no value so far
    Tally tally_;
    Channels channels_{tally_};
    StepGuard guard_;
    StepGuard::Track columnTrack_;           // of logs whose columns name their devices
    bool deviceInRow_ = false;               // cells of the row tell its device, or the log has just one
    std::optional<std::size_t> maskColumn_;  // a bound column of single throttle reasons
    std::vector<std::size_t> masked_;        // devices with reasons in the current row
    std::vector<MetadataRow> metadata_;
    std::string preamble_, unread_, notes_;
    std::set<std::string> unknownUnits_;
    std::vector<std::string_view> padded_;
    std::string part_;
    std::set<Reading> thisTick_;
    std::map<Reading, StepGuard::Track> readingTracks_;
    std::set<std::string> repeated_;
    double period_ = 0;  // between rows without times, in seconds
    bool periodAssumed_ = false;
    std::int64_t ticks_ = 0, filtered_ = 0;
    std::optional<Ns> earliest_;
    std::optional<Ns> summerAt_;  // where the clock went an hour back or ahead
    std::size_t shortestLast_ = 0;  // characters of the last cell in the shortest row so far
    std::int64_t events_ = 0;
    std::chrono::steady_clock::time_point reported_{};
};

}  // namespace wattproof::importers
