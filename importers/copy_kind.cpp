#include "importers/copy_kind.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace wattproof::importers {
namespace {

struct Direction {
    std::string_view text;
    CopyKind kind;
};

constexpr Direction kDirections[] = {
    {"htod", CopyKind::HostToDevice},
    {"h2d", CopyKind::HostToDevice},
    {"hosttodevice", CopyKind::HostToDevice},
    {"host_to_device", CopyKind::HostToDevice},
    {"dtoh", CopyKind::DeviceToHost},
    {"d2h", CopyKind::DeviceToHost},
    {"devicetohost", CopyKind::DeviceToHost},
    {"device_to_host", CopyKind::DeviceToHost},
    {"ptop", CopyKind::PeerToPeer},
    {"p2p", CopyKind::PeerToPeer},
    {"peertopeer", CopyKind::PeerToPeer},
    {"dtod", CopyKind::DeviceToDevice},
    {"d2d", CopyKind::DeviceToDevice},
    {"devicetodevice", CopyKind::DeviceToDevice},
    {"device_to_device", CopyKind::DeviceToDevice},
    {"htoh", CopyKind::HostToHost},
    {"hosttohost", CopyKind::HostToHost},
    {"host_to_host", CopyKind::HostToHost},
};

}  // namespace

CopyKind copyKindOf(std::string_view text) {
    std::string lower(text.substr(0, 256));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Direction &direction : kDirections)
        if (lower.find(direction.text) != std::string::npos)
            return direction.kind;
    return CopyKind::Other;
}

}  // namespace wattproof::importers
