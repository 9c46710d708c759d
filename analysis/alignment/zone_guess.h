// The zone of a log that names none, as its alignment with the load tells it.
#pragma once

#include "store/edits.h"
#include "store/rows.h"

#include <optional>
#include <string>

namespace wattproof::analysis {

// Wall times of a log read as UTC that fit when shifted by `offset` are of this zone: "UTC+01:00".
[[nodiscard]] std::string zoneOfShift(Ns offset);

// None where the file or the user names the zone, and where UTC was not contradicted.
[[nodiscard]] std::optional<std::string> guessedZone(const SourceRow &, const store::Alignment &);

}  // namespace wattproof::analysis
