// What is known of a file before anything of it is stored, and what a user chooses for it: importers find it out, the
// window shows it. Plain data, no behaviour.
#pragma once

#include "store/rows.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wattproof {

// What a user sets for one file. Empty: as it is recognised.
struct FileChoice {
    std::string format;
    std::string zone;            // of wall times without one
    std::string descriptorJson;  // what the columns of a table mean (docs/formats.md)
    [[nodiscard]] bool isEmpty() const { return format.empty() && zone.empty() && descriptorJson.empty(); }
    friend bool operator==(const FileChoice &, const FileChoice &) = default;
};
using FileChoices = std::map<std::string, FileChoice>;  // by path

// A format that can be chosen by hand.
struct FormatName {
    std::string format, title;
};

// One channel of a log as far as it was read.
struct ChannelLook {
    std::string name, device, quantity, unit;
    CounterKind kind = CounterKind::Gauge;
    std::int64_t samples = 0;
    double least = 0, most = 0;
    std::vector<Sample> first;  // stated time
};

// One file, looked at: its head is read as an import would read it.
struct FileLook {
    std::string path;
    std::string error;          // why nobody can read it; empty: it can be read
    SourceKind kind = SourceKind::Trace;
    std::string format;
    std::uint64_t bytes = 0;
    double share = 1;           // of the file that was read; below 1 counts and the end are estimates
    bool detailed = false;      // what follows is known; a database is only read as a whole
    ClockBasis clock = ClockBasis::None;
    std::string zone;           // that was assumed or given, and why
    bool zoneGiven = false;
    std::optional<TimeRange> span;  // stated time
    std::vector<std::string> devices;
    std::vector<ChannelLook> channels;
    std::int64_t slices = 0, samples = 0, requests = 0, figures = 0;
    std::optional<double> coverage;  // share of its time that has samples near enough, of the channel with the least
    Ns longestGap = 0;
    std::vector<WarningRow> warnings;
    bool isTable = false;       // its columns can be mapped by hand
    [[nodiscard]] bool readable() const { return error.empty(); }
};

// What a table's columns mean, as the user sets it: the short way to a descriptor.
enum class ColumnRole : std::uint8_t { Ignore, Time, Date, Device, Value };
struct MappedColumn {
    std::string header;         // as the file has it; "column 3" where it has none
    ColumnRole role = ColumnRole::Ignore;
    std::string quantity, unit, device;  // of a value; device: fixed, empty: the row's
    CounterKind kind = CounterKind::Gauge;
    std::string why;            // what the guess rests on
};
struct TableMapping {
    bool jsonLines = false;
    char delimiter = ',';
    bool decimalComma = false;
    std::size_t rowsBefore = 0;  // lines above the header, or above the first row
    bool hasHeader = true;
    std::string timeUnit = "auto";
    bool deviceIsIndex = false;  // the device column holds numbers
    std::string fallbackDevice = "GPU 0";
    std::vector<MappedColumn> columns;
};

// A table's head as text, and what is made of it.
struct TableLook {
    TableMapping mapping;
    std::vector<std::vector<std::string>> rows;  // after the header, as the file has them
};

}  // namespace wattproof
