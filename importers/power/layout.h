// Which descriptor fits a file, and where its header stands.
#pragma once

#include "importers/importer.h"
#include "importers/power/descriptor.h"

#include <span>
#include <string>
#include <vector>

namespace wattproof::importers {

struct Layout {
    const Descriptor *descriptor = nullptr;
    std::size_t headerRow = 0;  // rows before it are a preamble
    bool headerless = false;    // names are in `header`, the first row is data
    std::vector<std::string> header;
    std::vector<std::string> guessed;  // what was guessed of a headerless log
    double confidence = 0;
};

inline constexpr std::size_t kHeadRows = 400;  // turbostat's own banner may be that long

// The best fit among descriptors (of one format, unless that is empty); confidence 0 when none fits.
[[nodiscard]] Layout findLayout(std::span<const char> head, const std::vector<Descriptor> &descriptors,
                                const std::string &format);

// Why a table fits no descriptor: names what it has and what it lacks.
[[nodiscard]] Error layoutError(const std::vector<std::vector<std::string>> &rows, const std::string &path);

// A first row with a time column: a table, if perhaps none that is understood.
[[nodiscard]] bool looksLikeTimeTable(const std::vector<std::vector<std::string>> &rows);

}  // namespace wattproof::importers
