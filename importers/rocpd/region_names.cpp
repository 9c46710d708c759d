#include "importers/rocpd/region_names.h"

#include <nlohmann/json.hpp>

namespace wattproof::importers::rocpd {
namespace {

constexpr std::size_t kLongestExtra = std::size_t{64} << 10U;

}  // namespace

std::string_view regionCategory(std::string_view domain) {
    const auto speaksOf = [domain](std::string_view part) { return domain.find(part) != std::string_view::npos; };
    if (speaksOf("MARKER") || speaksOf("ROCTX"))
        return kAnnotation;
    if (speaksOf("HIP"))
        return "hip_runtime";
    if (speaksOf("HSA"))
        return "hsa_runtime";
    return speaksOf("RCCL") ? "rccl" : "api";
}

std::string annotationName(std::string_view name, std::string_view extra) {
    if (extra.empty() || extra.size() > kLongestExtra || extra.front() != '{')
        return std::string(name);
    const auto parsed = nlohmann::json::parse(extra, nullptr, false);
    const auto found = parsed.is_object() ? parsed.find("message") : parsed.end();
    if (found == parsed.end() || !found->is_string() || found->get_ref<const std::string &>().empty())
        return std::string(name);
    return found->get<std::string>();
}

}  // namespace wattproof::importers::rocpd
