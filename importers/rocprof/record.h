// One record of rocprofv3 in the narrow form in which it waits for the names that belong to it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wattproof::importers::rocprof {

enum class Family : std::uint8_t { KernelDispatch, MemoryCopy, HipApi, HsaApi, OtherApi, Marker, Memory };

struct Record {
    std::int64_t start = 0, end = 0;
    std::int64_t thread = 0, correlation = 0;
    std::int64_t agent = 0, otherAgent = 0;  // of a copy: where to, where from
    std::int64_t queue = 0, stream = 0, kernel = 0;
    std::int64_t bytes = -1, groupSegment = 0, privateSegment = 0;
    std::array<std::int64_t, 3> grid{}, workgroup{};  // in work-items
    std::int32_t kind = 0, operation = 0;
    Family family = Family::OtherApi;
    bool hasStream = false;
};

// What a list of buffer_records holds; false when it is not shown.
[[nodiscard]] constexpr bool familyOf(std::string_view list, Family &family) {
    constexpr std::array<std::pair<std::string_view, Family>, 9> families{{
        {"kernel_dispatch", Family::KernelDispatch},
        {"memory_copy", Family::MemoryCopy},
        {"hip_api", Family::HipApi},
        {"hsa_api", Family::HsaApi},
        {"rccl_api", Family::OtherApi},
        {"rocdecode_api", Family::OtherApi},
        {"rocjpeg_api", Family::OtherApi},
        {"marker_api", Family::Marker},
        {"memory_allocation", Family::Memory},
    }};
    for (const auto &[name, each] : families)
        if (name == list) {
            family = each;
            return true;
        }
    if (list != "scratch_memory")
        return false;
    family = Family::Memory;
    return true;
}

}  // namespace wattproof::importers::rocprof
