// One request of a log, from the texts of its cells or members: when it ran, whether it succeeded, what it made.
#pragma once

#include "importers/requests/log_run.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::requests {

struct CellTexts {
    struct Attribute {
        std::string_view key, text;
    };
    std::array<std::string_view, kFields> text{};     // empty: not there
    std::array<const BoundField *, kFields> bound{};  // by what the text was read
    std::vector<Attribute> attributes;

    void clear();
    // Takes a cell by its binding, unless one of a lower rank is there.
    void take(const BoundField &, std::string_view key, std::string_view cell);
    [[nodiscard]] std::string_view of(Field field) const { return text[static_cast<std::size_t>(field)]; }
};

class RequestReader {
public:
    explicit RequestReader(LogRun &run) : run_(run) {}
    // line 0: no position. What cannot be read is counted.
    [[nodiscard]] Status take(const CellTexts &, std::uint64_t line);

private:
    [[nodiscard]] std::optional<Ns> stamp(std::optional<LogClock> &, const CellTexts &, Field);
    [[nodiscard]] std::optional<Ns> length(const CellTexts &, Field, std::uint64_t line);
    [[nodiscard]] std::optional<Ns> between(Ns start, Ns end) const;
    [[nodiscard]] bool succeeded(const CellTexts &, std::uint64_t line);
    [[nodiscard]] bool place(StatedRequest &, const CellTexts &, std::uint64_t line);
    [[nodiscard]] std::optional<Ns> firstToken(const CellTexts &, std::uint64_t line);
    [[nodiscard]] static std::string attributesOf(const CellTexts &, const StatedRequest &);

    LogRun &run_;
    std::optional<LogClock> start_, end_;
};

// Nanoseconds of a length as it is written, in a unit ("ms") or with one of its own ("12 ms"); none when it is no
// number.
[[nodiscard]] std::optional<Ns> lengthText(std::string_view text, std::string_view unit);

// Words of logs for a request that succeeded (true) or did not (false); none for others.
[[nodiscard]] std::optional<bool> statusWord(std::string_view);

}  // namespace wattproof::importers::requests
