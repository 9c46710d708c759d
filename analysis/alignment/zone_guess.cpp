#include "analysis/alignment/zone_guess.h"

#include "store/assumed_zone.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace wattproof::analysis {
namespace {

constexpr Ns kZoneStep = 900'000'000'000;  // zones differ by whole quarters of an hour

long long quarters(Ns offset) {
    return std::llround(static_cast<double>(offset) / static_cast<double>(kZoneStep));
}

}  // namespace

std::string zoneOfShift(Ns offset) {
    const long long minutes = -15 * quarters(offset);
    char text[40];
    std::snprintf(text, sizeof text, "UTC%c%02lld:%02lld", minutes < 0 ? '-' : '+', std::llabs(minutes) / 60,
                  std::llabs(minutes) % 60);
    return text;
}

std::optional<std::string> guessedZone(const SourceRow &source, const store::Alignment &alignment) {
    if (!hasAssumedZone(source) || alignment.method != "wall-clock" || quarters(alignment.offset) == 0)
        return std::nullopt;
    return zoneOfShift(alignment.offset);
}

}  // namespace wattproof::analysis
