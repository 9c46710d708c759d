// What an XPlane file says, as read: planes with their lines, names and statistics. Events wait in a spool,
// because their names stand behind them in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::xplane {

struct EventKind {
    std::string name, displayName;
    std::vector<std::string> stats;  // XStat messages that hold for every event of the kind
};

struct Line {
    std::int64_t id = 0, timestampNs = 0;
    std::string name;                  // the display name where there is one
    std::uint64_t begin = 0, end = 0;  // of its events in the spool
};

struct Plane {
    std::string name;
    std::unordered_map<std::int64_t, EventKind> kinds;
    std::unordered_map<std::int64_t, std::string> statNames;
    std::vector<std::string> stats;
    std::vector<Line> lines;
};

// A statistic with its name; texts are views of the message or of the plane's names.
struct Stat {
    enum class Kind : std::uint8_t { None, Real, Natural, Integer, Text, Bytes };
    std::string_view key;
    Kind kind = Kind::None;
    double real = 0;
    std::uint64_t natural = 0;
    std::int64_t integer = 0;
    std::string_view text;

    // Of a whole number, whichever way it is written.
    [[nodiscard]] std::optional<std::int64_t> whole() const;
    [[nodiscard]] std::optional<double> number() const;
};

// None when the bytes are no statistic.
[[nodiscard]] std::optional<Stat> readStat(std::string_view message, const Plane &);

}  // namespace wattproof::importers::xplane
