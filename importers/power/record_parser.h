// Small parsers for logs that are no tables: each turns lines into records, sets of named values of one moment and
// device. What the names mean is told by descriptors, as for the columns of a table.
#pragma once

#include "importers/power/descriptor.h"
#include "importers/table/table_reader.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

// Collects records. Names are numbered in the order of their first appearance.
class RecordSink {
public:
    static constexpr std::size_t kMaxNames = 4096;
    struct Value {
        std::size_t name = 0;
        std::string text;
    };
    struct Record {
        std::vector<Value> values;
        std::size_t names = 0;  // known when it was made
        std::uint64_t line = 0;
    };

    // Of a name that is given twice in one record the last value stays.
    void set(std::string_view name, std::string_view value);
    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] bool empty() const { return current_.values.empty(); }
    void finish(std::uint64_t line);  // does nothing for an empty record
    void drop();
    void unreadable(std::uint64_t line);  // a place that is none of the form

    [[nodiscard]] std::deque<Record> &records() { return records_; }
    [[nodiscard]] const std::vector<std::string> &names() const { return names_; }
    [[nodiscard]] std::int64_t unreadableCount() const { return unreadable_; }
    [[nodiscard]] std::uint64_t firstUnreadable() const { return firstUnreadable_; }

private:
    std::vector<std::string> names_;
    std::map<std::string, std::size_t, std::less<>> byName_;
    std::vector<std::size_t> place_;  // of each name in the current record's values, from 1; 0: not there
    Record current_;
    std::deque<Record> records_;
    std::int64_t unreadable_ = 0;
    std::uint64_t firstUnreadable_ = 0;
};

class RecordParser {
public:
    virtual ~RecordParser() = default;
    virtual void row(const TableRow &, RecordSink &) = 0;
    virtual void end(RecordSink &) {}
};

[[nodiscard]] bool isRecordForm(std::string_view form);
[[nodiscard]] std::string recordForms();  // for messages
[[nodiscard]] std::unique_ptr<RecordParser> makeRecordParser(const Descriptor &);

// Of the forms, one a file (parsers/).
[[nodiscard]] std::unique_ptr<RecordParser> makeLongParser(const Descriptor &);
[[nodiscard]] std::unique_ptr<RecordParser> makePairsParser();
[[nodiscard]] std::unique_ptr<RecordParser> makeKeyValueParser();
[[nodiscard]] std::unique_ptr<RecordParser> makeSmiTextParser();
[[nodiscard]] std::unique_ptr<RecordParser> makeSmiXmlParser();
[[nodiscard]] std::unique_ptr<RecordParser> makePrometheusParser();
[[nodiscard]] std::unique_ptr<RecordParser> makeJsonParser();
[[nodiscard]] std::unique_ptr<RecordParser> makeHmlParser();
[[nodiscard]] std::unique_ptr<RecordParser> makeTegrastatsParser();
[[nodiscard]] std::unique_ptr<RecordParser> makePowermetricsParser();
[[nodiscard]] std::unique_ptr<RecordParser> makePowermetricsPlistParser();
[[nodiscard]] std::unique_ptr<RecordParser> makeEnergyRunnerParser();

}  // namespace wattproof::importers
