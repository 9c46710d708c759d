#include "importers/device_match.h"

#include "importers/table/table_reader.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr double kSure = 0.99;
constexpr double kByIndexAndModel = 0.95;
constexpr double kByIndex = 0.9;  // CUDA's order of devices may differ from the driver's
constexpr double kOnlyGpu = 0.85;

// "GPU-1234..." with a part that is not zero: anonymised logs carry zeros alone.
bool tells(const std::string &uuid) {
    return uuid.find_first_not_of("GPU-0 ") != std::string::npos;
}

// "00000000:0C:00.0" and "0000:0c:00.0" are one address.
std::string busAddress(const std::string &pci) {
    const std::string text = lowered(pci);
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || text.find(':', colon + 1) == std::string::npos)
        return text;
    const std::size_t digit = std::min(text.find_first_not_of('0'), colon);
    return text.substr(digit);
}

std::string plainModel(const std::string &model) {
    std::string text = lowered(model);
    for (const std::string_view word : {"nvidia ", "tesla ", "geforce "})
        if (const std::size_t at = text.find(word); at != std::string::npos)
            text.erase(at, word.size());
    return text;
}

bool modelsDiffer(const DeviceRow &a, const DeviceRow &b) {
    if (a.model.empty() || b.model.empty())
        return false;
    const std::string x = plainModel(a.model), y = plainModel(b.model);
    return x.find(y) == std::string::npos && y.find(x) == std::string::npos;
}

bool hostsDiffer(const DeviceRow &a, const DeviceRow &b) {
    return !a.host.empty() && !b.host.empty() && a.host != b.host;
}

std::optional<DeviceMatch> compare(const DeviceRow &a, SourceKind kind, const KnownDevice &other, bool onlyGpu) {
    const DeviceRow &b = other.row;
    if (a.kind != DeviceKind::Gpu || b.kind != DeviceKind::Gpu || hostsDiffer(a, b))
        return std::nullopt;
    if (tells(a.uuid) && tells(b.uuid))
        return a.uuid == b.uuid ? std::optional(DeviceMatch{0, "same UUID", kSure}) : std::nullopt;
    if (!a.pci.empty() && !b.pci.empty())
        return busAddress(a.pci) == busAddress(b.pci) ? std::optional(DeviceMatch{0, "same PCI address", kSure})
                                                      : std::nullopt;
    if (kind == other.sourceKind || modelsDiffer(a, b))
        return std::nullopt;
    const bool indices = !a.nativeId.empty() && !b.nativeId.empty();
    if (indices && a.nativeId == b.nativeId) {
        const bool model = !a.model.empty() && !b.model.empty();
        return DeviceMatch{0, model ? "same index and model" : "same index", model ? kByIndexAndModel : kByIndex};
    }
    if (!indices && onlyGpu)
        return DeviceMatch{0, "one source names no device and the other has one GPU", kOnlyGpu};
    return std::nullopt;
}

}  // namespace

std::optional<DeviceMatch> matchDevice(const DeviceRow &row, SourceKind kind,
                                       const std::vector<KnownDevice> &known) {
    const auto gpus = std::count_if(known.begin(), known.end(), [&](const KnownDevice &device) {
        return device.row.kind == DeviceKind::Gpu && device.sourceKind != kind;
    });
    std::optional<DeviceMatch> best;
    for (std::size_t i = 0; i < known.size(); ++i) {
        std::optional<DeviceMatch> match = compare(row, kind, known[i], gpus == 1);
        if (match && (!best || match->confidence > best->confidence)) {
            match->index = i;
            best = match;
        }
    }
    return best;
}

}  // namespace wattproof::importers
