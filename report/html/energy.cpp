#include "report/html/sections.h"

namespace wattproof::report {
namespace {

using analysis::DeviceEnergy;

Markup conservationTable(const analysis::EnergyResult &energy) {
    Table table({"Device", "#Kernels", "#Copies", "#Idle", "#Outside the trace", "#Unexplained", "#Integral", "#Coverage",
                 "#Longest gap"});
    for (const DeviceEnergy &d : energy.devices)
        table.row({d.device, quantity(d.kernelsJ, "J"), quantity(d.copiesJ, "J"), quantity(d.idleJ, "J"),
                   quantity(d.outsideTraceJ, "J"), quantity(d.unexplainedJ, "J"), quantity(d.integralJ, "J"),
                   percent(d.coverage), quantity(d.longestGapS, "s")});
    return table.markup();
}

Markup pathTable(const analysis::EnergyResult &energy) {
    Table table({"Path", "Device", "#Energy", "#Share", "#Per unit"});
    for (const analysis::EnergyPath &p : energy.byPath)
        table.row({p.path, p.device, p.ci95 ? intervalText(p.j, *p.ci95, "J") : quantity(p.j, "J"), percent(p.share),
                   quantity(p.jPerUnit, "J")});
    return table.empty() ? Markup{} : table.markup();
}

Markup classTable(const analysis::EnergyResult &energy) {
    Table table({"Op class", "Device", "#Busy", "#Power above idle", "Method", "Status"});
    for (const analysis::ClassEnergy &c : energy.byClass) {
        std::string watts = "–";
        if (c.watts)
            watts = c.wattsCi95 ? intervalText(*c.watts, *c.wattsCi95, "W") : quantity(*c.watts, "W");
        table.row({c.opClass, c.device, duration(c.busyNs), watts, c.method, c.status});
    }
    return table.empty() ? Markup{} : table.markup();
}

std::string floorText(const std::string &device, const analysis::IdleFloor &floor) {
    std::string active = quantity(floor.active, "W");
    if (floor.activeCi95)
        active = floor.active ? intervalText(*floor.active, *floor.activeCi95, "W")
                              : "between " + quantity(floor.activeCi95->low, "W") + " and " +
                                    quantity(floor.activeCi95->high, "W");
    return device + ": deep idle " + quantity(floor.deep, "W") + ", active idle " + active + " (" + floor.source + ")";
}

}  // namespace

Markup energySection(const Report &report) {
    const analysis::EnergyResult &energy = report.analysis.energy;
    if (!energy.totalJ) {
        const auto reason = report.analysis.reasons.find("energy.total_j");
        return section("energy", "Energy", paragraph(reason != report.analysis.reasons.end()
                                                         ? reason->second
                                                         : "No power log is in this workspace: joules are unknown."));
    }
    Markup content = paragraph(
        "Each part is computed on its own; what they leave of the device's integral stands as unexplained. Time without "
        "samples is not integrated.");
    content += conservationTable(energy);
    for (const DeviceEnergy &device : energy.devices)
        for (const std::string &limit : device.limits)
            content += paragraph(device.device + ": " + limit, "muted small");
    content += element("h3", text("Where the joules went"));
    content += pathTable(energy);
    content += element("h3", text("Power by op class"));
    content += classTable(energy);
    for (const auto &[device, floor] : energy.idleFloorW)
        content += paragraph(floorText(device, floor), "muted small");
    return section("energy", "Energy", content);
}

Markup timelineSection(const Report &report) {
    Table table({"Device", "#Span", "#Busy", "#Compute", "#Exposed communication", "#Exposed copies", "#Idle", "Idle by cause"});
    for (const analysis::DeviceTimeline &d : report.analysis.timeline) {
        std::string causes;
        for (const auto &[cause, ns] : d.idleByCauseNs)
            if (ns > 0)
                causes += (causes.empty() ? "" : ", ") + cause + " " + duration(ns);
        const double span = static_cast<double>(std::max<Ns>(1, d.span.length()));
        table.row({d.device, duration(d.span.length()), percent(static_cast<double>(d.busyNs) / span), duration(d.computeNs),
                   duration(d.exposedCommNs), duration(d.exposedCopyNs), duration(d.idleNs), causes});
    }
    Markup content =
        table.empty() ? paragraph("No accelerator activity is in this workspace.", "muted") : table.markup();
    Table precision({"Precision", "#Busy", "#Share", "#Energy"});
    for (const analysis::PrecisionShare &p : report.analysis.precision)
        precision.row({p.precision.empty() ? "not told by the names" : p.precision, duration(p.busyNs), percent(p.share),
                       quantity(p.j, "J")});
    if (!precision.empty()) {
        content += element("h3", text("Precision mix"));
        content += precision.markup();
    }
    const analysis::ThermalResult &thermal = report.analysis.thermal;
    content += paragraph("Thermal clamp events: " + std::to_string(thermal.clampEvents) + ", " +
                         quantity(thermal.clampS, "s") + " in all; power cap: " + quantity(thermal.powerCappedS, "s") + ".");
    return section("timeline", "Device time", content);
}

}  // namespace wattproof::report
