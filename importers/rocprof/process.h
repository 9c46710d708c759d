// One process of a rocprofv3 result: its tables as they are read, then its records with their names.
#pragma once

#include "importers/profile/json_items.h"
#include "importers/profile/record_spool.h"
#include "importers/profile/run.h"
#include "importers/rocprof/record.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::rocprof {

class Process {
public:
    explicit Process(ProfileRun &run) : run_(run) {}

    // `path` counts from the process's own object.
    void value(std::string_view path, const JsonValue &);
    void item(std::string_view list, const JsonItem &, std::uint64_t offset);
    // Writes all records; what comes later belongs to the next process.
    [[nodiscard]] Status finish();

    [[nodiscard]] static bool isItem(std::string_view list);

private:
    struct Agent {
        bool gpu = false;
        std::string name, model, pci;
        std::int64_t ordinal = 0;
    };
    struct Kind {
        std::string name;
        std::vector<std::string> operations;
    };

    void agent(const JsonItem &);
    void symbol(const JsonItem &);
    void kind(const JsonItem &);
    void record(Family, const JsonItem &, std::uint64_t offset);
    [[nodiscard]] static Record read(Family, const JsonItem &);

    void emit(const Record &, std::uint64_t offset);
    void gpuRecord(const Record &, RawEvent &, Ns dur);
    void hostRecord(const Record &, RawEvent &, Ns dur);
    [[nodiscard]] std::string nameOf(const Record &) const;
    [[nodiscard]] DeviceId deviceOf(std::int64_t agent);
    [[nodiscard]] TrackId streamOf(DeviceId, const Record &, std::string &stream);
    [[nodiscard]] ArgSetId argumentsOf(const Record &);

    ProfileRun &run_;
    RecordSpool spool_;
    Status spooled_;
    std::string pid_, program_, host_;
    bool groupByQueue_ = false;
    std::unordered_map<std::int64_t, Agent> agents_;
    std::unordered_map<std::int64_t, std::string> symbols_, markers_;
    std::vector<Kind> kinds_;
};

}  // namespace wattproof::importers::rocprof
