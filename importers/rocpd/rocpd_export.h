// rocpd: the SQLite database of rocprofv3. Its tables carry the suffix of their run, in a merged file there are
// several sets of them; times stand in the rows or, in the newer layout, in a table of their own.
#pragma once

#include "importers/profile/export_tables.h"
#include "importers/rocpd/id_table.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wattproof::importers::rocpd {

class RocpdExport {
public:
    [[nodiscard]] static bool fits(const store::ForeignDatabase &);

    RocpdExport(const store::ForeignDatabase &database, ProfileRun &run);

    [[nodiscard]] Expected<Summary> import();

private:
    struct Process {
        std::int64_t pid = 0;
        std::string command;
    };
    struct Thread {
        std::int64_t tid = 0;
        std::string name;
    };
    struct Agent {
        DeviceRow row;
    };
    struct Event {
        std::int64_t category = 0, stack = 0;
    };
    // Where a row belongs: named in the row itself, or by its track.
    struct Place {
        std::int64_t process = 0, thread = 0, agent = 0, queue = 0, stream = 0;
        bool hasQueue = false, hasStream = false;
    };
    struct Counter {
        std::string name, unit;
        std::int64_t agent = 0;
        CounterId id;
    };

    using Take = std::function<void(const ExportRow &, std::uint32_t run)>;
    // A table in all its sets; the last column asked for is "guid".
    [[nodiscard]] Status read(const std::string &table, std::initializer_list<std::string_view> columns,
                              const Take &);
    using TakeHost = std::function<void(const ExportRow &, std::uint32_t run, RawEvent &, Ns dur)>;
    [[nodiscard]] Status hostRows(const std::string &table, std::string_view first, std::string_view second,
                                  const TakeHost &);
    [[nodiscard]] Status loadNames();
    [[nodiscard]] Status loadPlaces();
    [[nodiscard]] Status loadAgents();
    [[nodiscard]] Status loadEvents();
    [[nodiscard]] Status metadata();
    [[nodiscard]] Status kernels();
    [[nodiscard]] Status copies();
    [[nodiscard]] Status regions();
    [[nodiscard]] Status allocations();
    [[nodiscard]] Status counters();

    void counterValue(const ExportRow &, std::uint32_t run, const IdTable<Ns> &samples);

    [[nodiscard]] std::uint32_t runOf(const std::string &guid);
    [[nodiscard]] std::string_view text(GlobalId) const;
    // The four columns from `first` on: start, end, start_id, end_id.
    [[nodiscard]] bool times(const ExportRow &, std::size_t first, std::uint32_t run, RawEvent &, Ns &dur);
    [[nodiscard]] Place placeOf(const ExportRow &, std::size_t first, std::uint32_t run) const;
    [[nodiscard]] DeviceId deviceOf(GlobalId agent);
    [[nodiscard]] TrackId streamOf(DeviceId, const Place &, std::uint32_t run, std::string &stream);
    [[nodiscard]] TrackId threadOf(const Place &, std::uint32_t run);
    [[nodiscard]] Event eventOf(GlobalId) const;
    [[nodiscard]] static std::int64_t correlation(std::uint32_t run, std::int64_t stack);
    void emitGpu(const ExportRow &, std::uint32_t run, std::string_view name, std::int64_t agent, GpuOpRow);

    ExportTables tables_;
    ProfileRun &run_;
    std::vector<std::string> suffixes_;
    std::map<std::string, std::uint32_t> runs_;
    IdTable<std::string> strings_, kernels_;
    IdTable<Process> processes_;
    IdTable<Thread> threads_;
    IdTable<Agent> agents_;
    IdTable<Event> events_;
    IdTable<Ns> timestamps_;
    IdTable<Place> tracks_;
    std::map<GlobalId, Counter> counters_;
    std::string firstHost_;
};

}  // namespace wattproof::importers::rocpd
