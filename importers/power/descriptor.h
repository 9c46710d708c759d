// What the columns of a tabular power log mean. Descriptors are JSON files in resources/power/ and in the user's
// configuration folder (same path: replaces; other path: adds), or one that is handed in with the import.
// docs/formats.md documents the keys. Header names are compared without case, blanks at the ends and unit; "#" in
// a name stands for digits, which tell the device ("GPU#").
#pragma once

#include "importers/time/stamp.h"
#include "store/result.h"
#include "store/rows.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

struct ColumnRule {
    std::vector<std::string> names;  // of the header, lower case
    std::optional<int> index;        // position in the row from 0, where the header cannot say it
    std::string label;               // counter name; empty: the header's own
    std::string quantity, domain;
    std::string unit;  // where neither header nor cell states one
    CounterKind kind = CounterKind::Gauge;
    std::string device;  // fixed device of the column; empty: the row's
    std::string sensor;  // field name in sensors.json
    std::string prefix;  // removed before the number: "P" of "P0"
    std::string flagTable;
    std::optional<int> bit;              // this column is one flag of the mask: "Active", "Yes", 1
    std::optional<double> above, below;  // plausible values lie between, in SI units
    std::vector<std::string> range;      // column that states where the counter wraps
    bool metadata = false;               // the first value is also a metadata row
    bool counter = true;                 // false: metadata only
};

struct DeviceRule {
    std::vector<std::string> index, uuid, pci, model, host, name;  // header names of each identity
    std::string fallback = "GPU 0";                                // device of a log that names none
    DeviceKind kind = DeviceKind::Gpu;
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
    char delimiter = 0;  // 0: found from the text
    DeviceRule device;
    std::vector<ColumnRule> columns;   // of several with one quantity and domain the first is the one to add up
    std::vector<std::string> missing;  // cells that mean "no value", lower case, brackets removed
    std::vector<std::string> lost;     // texts that say the device is gone, lower case
    bool headerless = false;           // rows without a header may be told by their units
};

// Which kind of device and domain a name stands for ("package-0", "dram"), from resources/power/domains.json.
struct DeviceClass {
    std::vector<std::string> names;  // "#" stands for digits
    DeviceKind kind = DeviceKind::Other;
    std::string domain;
    std::string inside;        // domain that contains this one; empty: none
    bool numberedGpu = false;  // shown as "GPU <digits>"
};

// "gpu#" and "GPU 3": the digits; an exact name: "". None when it does not fit.
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
