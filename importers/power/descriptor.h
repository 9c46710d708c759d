// What the columns of a tabular power log mean. Descriptors are JSON files in resources/power/ and in the user's
// configuration folder (same path: replaces; other path: adds), or one that is handed in with the import.
// docs/formats.md documents the keys. Header names are compared without case, blanks at the ends and unit; "#" in
// a name stands for digits, which tell the device ("GPU#"), "*" for any text.
#pragma once

#include "importers/time/stamp.h"
#include "store/result.h"
#include "store/rows.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wattproof::importers {

struct ColumnRule {
    std::vector<std::string> names;  // of the header, lower case
    std::optional<int> index;        // position in the row from 0, where the header cannot say it
    std::string label;               // counter name; empty: the header's own
    std::string quantity, domain;
    std::string unit;  // where neither header nor cell states one
    CounterKind kind = CounterKind::Gauge;
    std::string device;  // fixed device of the column; empty: the row's. "#": digits of the column, else of the row
    std::string inside;  // domain that contains this column's, beside what domains.json says
    std::string sensor;  // field name in sensors.json
    std::string prefix;  // removed before the number: "P" of "P0"
    std::string flagTable;
    std::vector<std::pair<std::string, int>> flagWords;  // of a mask that is written in words: part of one, and its bit
    std::optional<int> bit;              // this column is one flag of the mask: "Active", "Yes", 1
    std::optional<double> above, below;  // plausible values lie between, in SI units
    std::optional<double> never;         // nor is a sensor's word for "none" a value: 65535 W, 0 °C
    std::vector<std::string> range;      // column that states where the counter wraps
    std::vector<std::string> duration;   // column with the seconds that a value of kind run stands for
    std::vector<std::string> times;      // column that this one is multiplied by: amperes and volts make watts
    std::string timesUnit;
    std::string expect;                  // any other word in the column is a warning (sensor_state)
    bool metadata = false;               // the first value is also a metadata row
    bool counter = true;                 // false: metadata only
};

struct DeviceRule {
    std::vector<std::string> index, uuid, pci, model, host, name;  // header names of each identity
    std::string fallback = "GPU 0";                                // device of a log that names none
    DeviceKind kind = DeviceKind::Gpu;
};

// The option of a tool that says how often it reads.
struct PeriodOption {
    std::string tool;                // empty: none
    std::vector<std::string> names;  // "--interval", "-i"
    double unit = 1;                 // of its number, in seconds
};

struct Descriptor {
    std::string format;                     // "nvidia-smi-csv"
    std::string title;                      // for messages
    std::string file;                       // where it comes from, for messages
    double confidence = 0.5;                // of the probe when the header fits
    std::vector<std::string> allOf, anyOf, noneOf;  // header names that must, must in part, must not be there
    std::vector<std::string> timeNames;
    std::optional<int> timeIndex;
    StampUnit timeUnit = StampUnit::Auto;
    std::vector<std::string> dateNames;  // of a column with the day, where the time column has the clock alone
    double periodSeconds = 0;            // between rows that carry no time; 0: such rows cannot be placed
    PeriodOption periodOption;           // says it where the command stands in the log
    bool zoneInHeader = false;           // the time's header ends in minutes west of UTC, as Windows writes it
    char delimiter = 0;                  // 0: found from the text; blank: tabs or runs of blanks
    char mark = 0;                       // stands before header lines
    std::optional<bool> decimalComma;    // absent: unless a comma delimits
    std::size_t rowsBefore = 0;          // of a table with `header`: lines above its first row
    std::size_t firstWords = 1;          // blanks delimit: words of the first cell
    bool lastIsText = false;             // the last cell may hold delimiters
    bool shortRows = false;              // cells at the end of a row may be left out
    std::string form;                    // a parser (record_parser.h); empty: a table with one column a quantity
    std::vector<std::string> header;     // names of a log that has no header line, or of a table by position
    std::vector<std::string> texts;      // must all stand in the first lines
    std::vector<std::string> shape;      // look of a row's cells: "#" digits, "#.#" a number, "a|b" names, "*" any
    std::vector<std::string> field, value, unit;  // of form "long": columns with quantity, its value and unit
    std::vector<std::string> part;       // columns that tell several readings of one device ("pid")
    bool columnBlocks = false;                    // a device's columns stand together, and their names return with the next
    std::vector<std::string> only, onlyValues;    // rows are read where this column has one of these values
    std::vector<std::string> ignore;     // beginnings of lines that are no rows, lower case: kept as metadata
    DeviceRule device;
    std::vector<ColumnRule> columns;     // of several with one quantity and domain the first is the one to add up
    std::vector<std::string> missing;    // cells that mean "no value", lower case, brackets removed
    std::vector<double> missingNumbers;  // those of them that are numbers: -1
    std::vector<std::string> lost;       // texts that say the device is gone, lower case
    bool headerless = false;             // rows without a header may be told by their units
};

// Which kind of device and domain a name stands for ("package-0", "dram"), from resources/power/domains.json.
struct DeviceClass {
    std::vector<std::string> names;  // "#" stands for digits
    DeviceKind kind = DeviceKind::Other;
    std::string domain;
    std::string inside;        // domain that contains this one; empty: none
    bool numberedGpu = false;  // shown as "GPU <digits>"
};

// "gpu#" and "gpu3": the digits; a name without "#": "". None when it does not fit.
[[nodiscard]] std::optional<std::string> matchName(std::string_view pattern, std::string_view text);

[[nodiscard]] Expected<Descriptor> parseDescriptor(std::string_view json, const std::string &file);

// Everything in resources/power/, with the user's files. An error names the file at fault.
struct PowerResources {
    std::vector<Descriptor> descriptors;
    std::vector<DeviceClass> classes;
};
[[nodiscard]] Expected<PowerResources> loadPowerResources();

// How well rows fit: the first row whose cells a descriptor recognises as its header; none within the rows given.
[[nodiscard]] bool isHeader(const Descriptor &, const std::vector<std::string_view> &cells);

// Header cell as descriptors compare it: lower case, without unit.
[[nodiscard]] std::string headerName(std::string_view cell);

}  // namespace wattproof::importers
