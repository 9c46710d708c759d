// The summary that k6 prints at the end of a test. Figures are named as in its JSON summary, lengths in
// milliseconds.
#pragma once

#include "importers/requests/figures.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::requests {

class K6Text {
public:
    K6Text(FigureValues &values, LogRun &run) : values_(values), run_(run) {}
    void take(std::string_view line, std::uint64_t number);

private:
    void takePair(std::string_view word, std::size_t equals);
    void takeValues(const std::vector<std::string_view> &words);
    void give(std::string_view key, const std::optional<double> &value);

    FigureValues &values_;
    LogRun &run_;
    std::string parent_, metric_;  // of the line, with its tags; parent: the last one that had no tags
};

// Milliseconds of a length as Go prints it: "1m30.5s", "144.56ms", "28µs"; none when it is no length.
[[nodiscard]] std::optional<double> goMilliseconds(std::string_view text);

}  // namespace wattproof::importers::requests
