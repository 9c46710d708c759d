// The import of one tabular power log: rows in, channels out.
#pragma once

#include "importers/power/channels.h"
#include "importers/power/layout.h"
#include "importers/table/table_reader.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::importers {

class PowerRun {
public:
    PowerRun(Input &, store::BulkWriter &, const Options &, const Task &, const PowerResources &,
             const SensorFacts &);
    [[nodiscard]] Expected<Summary> run(const Layout &);

private:
    struct RowPlace {
        StepGuard::Placed at;
        std::uint64_t line = 0;
    };

    [[nodiscard]] Status readPreamble(const Layout &);
    [[nodiscard]] Status bind(const std::vector<std::string> &header, std::uint64_t line);
    [[nodiscard]] Status readRows();
    void takeRow(const TableRow &);
    [[nodiscard]] bool isOtherThanData(const TableRow &);
    [[nodiscard]] bool isHeaderAgain(const TableRow &);
    [[nodiscard]] bool hasWholeShape(const TableRow &);
    [[nodiscard]] bool lastCellIsCut(const TableRow &);
    [[nodiscard]] std::optional<RowPlace> place(const TableRow &, std::optional<std::size_t> device);
    void takeCells(const TableRow &, const RowPlace &, std::optional<std::size_t> rowDevice);
    void takeCell(BoundColumn &, std::size_t column, std::string_view cell, const TableRow &, const RowPlace &,
                  std::size_t device);
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
    std::optional<TableReader> reader_;
    std::optional<LogClock> clock_;
    std::optional<LogDevices> devices_;
    std::optional<Binding> binding_;
    Tally tally_;
    Channels channels_{tally_};
    StepGuard guard_;
    StepGuard::Track columnTrack_;           // of logs whose columns name their devices
    bool deviceInRow_ = false;               // cells of the row tell its device, or the log has just one
    std::optional<std::size_t> maskColumn_;  // a bound column of single throttle reasons
    std::vector<std::size_t> masked_;        // devices with reasons in the current row
    std::vector<MetadataRow> metadata_;
    std::string preamble_, unread_;
    std::optional<Ns> earliest_;
    std::size_t shortestLast_ = 0;  // characters of the last cell in the shortest row so far
    std::int64_t events_ = 0;
    std::chrono::steady_clock::time_point reported_{};
};

}  // namespace wattproof::importers
