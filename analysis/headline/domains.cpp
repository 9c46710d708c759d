#include "analysis/headline/domains.h"

#include <algorithm>
#include <array>

namespace wattproof::analysis {
namespace {

constexpr std::array<const char *, 4> kDomains{"accelerator", "host", "memory", "rest"};

std::string categoryOf(const DomainPower &power) {
    if (power.device.kind == DeviceKind::Dram || power.domain == "dram")
        return "memory";
    if (power.device.kind == DeviceKind::Cpu || power.domain == "psys")
        return "host";
    return power.device.kind == DeviceKind::Gpu ? "accelerator" : "rest";
}

// A meter of the node or its outlet holds all the others; one rail of a board does not.
bool isWholeNode(const DomainPower &power) {
    return power.device.kind == DeviceKind::Node || power.device.kind == DeviceKind::Outlet;
}

class Collector {
public:
    explicit Collector(const Context &context) : context_(context) {}

    HeadlineDomains collect() {
        for (const auto &[id, power] : context_.power) {
            const DeviceId key = id;
            if (context_.insideOther.contains(id))
                continue;
            const auto row = std::find_if(context_.devices.begin(), context_.devices.end(),
                                          [key](const DeviceRow &device) { return device.id == key; });
            const auto centred = context_.centredPower.find(id);
            add(row == context_.devices.end() ? "" : row->name, power.channel().domain, "accelerator",
                centred == context_.centredPower.end() ? power : centred->second);
        }
        for (const DomainPower &power : context_.otherPower) {
            const bool counts = add(power.device.name, power.domain, categoryOf(power), power.series);
            wholeNode_ = wholeNode_ || (counts && isWholeNode(power));
        }
        for (const char *domain : kDomains)
            if (std::find(out_.measured.begin(), out_.measured.end(), domain) == out_.measured.end() &&
                !wholeNode_)
                out_.missing.emplace_back(domain);
        return std::move(out_);
    }

private:
    // Whether it counts: a scenario may name the domains that do.
    bool add(const std::string &device, const std::string &domain, std::string category,
             const PowerSeries &series) {
        const auto &named = context_.scenario.domains;
        if (!named.empty()) {
            const auto it = std::find_if(named.begin(), named.end(), [&](const auto &entry) {
                const auto holds = [&](const std::string &name) { return name == device || name == domain; };
                return std::any_of(entry.second.begin(), entry.second.end(), holds);
            });
            if (it == named.end())
                return false;
            category = it->first;
        }
        out_.series.push_back(&series);
        if (std::find(out_.measured.begin(), out_.measured.end(), category) == out_.measured.end())
            out_.measured.push_back(category);
        return true;
    }

    const Context &context_;
    HeadlineDomains out_;
    bool wholeNode_ = false;
};

}  // namespace

HeadlineDomains headlineDomains(const Context &context) {
    return Collector(context).collect();
}

}  // namespace wattproof::analysis
