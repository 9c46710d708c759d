// A report with one of everything, for renderer tests. `name` goes into every text that may come from a trace or a person.
#pragma once

#include <string>

#include "report/report.h"

namespace wattproof::test {

inline analysis::Finding findingFixture(const std::string &name) {
    analysis::Finding f;
    f.rank = 1;
    f.key = "host_orchestration:gpu0";
    f.rule = "host_orchestration";
    f.bottleneckClass = "host_orchestration";
    f.title = "Late launches of " + name;
    f.mechanism = "The host launches " + name + " after the device has run dry.";
    f.range = {1'000'000, 5'000'000};
    f.tracks = {name};
    f.slices = 12;
    f.recoverableJ = analysis::Interval{310, 430};
    f.throughputGain = analysis::Interval{0.1, 0.2};
    f.headlineGain = analysis::Interval{0.05, 0.15};
    f.counterfactual = "Gaps closed: " + name;
    f.effect = "delayed";
    f.confidence = "high";
    f.confidenceP = 0.96;
    f.confidenceReasons = {"reason " + name};
    f.chainIntent = "intent " + name;
    f.chainMapping = "mapping";
    f.chainBehaviour = "behaviour";
    f.chainImpact = "impact";
    f.checks = {{"check " + name, "SELECT 1 -- " + name, true}, {"failed check", "SELECT 0", false}};
    f.evidence = {{"claim " + name, 2'500'000, "ns", "SELECT 2500000 -- " + name, {1'000'000, 2'000'000}, "/tmp/" + name}};
    f.contradictions = {{"against " + name, "SELECT 3", "lowers confidence"}};
    f.doesNotProve = "that " + name + " is at fault";
    f.nextAction = "look at " + name;
    f.intervention = "capture " + name + " in a graph";
    f.guardrails = {"accuracy of " + name};
    f.rollbackBoundary = "flag " + name;
    return f;
}

inline report::Report reportFixture(const std::string &name) {
    report::Report r;
    r.createdAt = "2026-01-02T03:04:05Z";
    r.header = {{"Tool", "Wattproof", "this build"}, {"Driver", "", ""}, {"Device", name, "devices"}};
    SourceRow source;
    source.id = SourceId(1);
    source.path = "/data/" + name + ".json";
    source.format = "kineto";
    source.sha256 = "00ff";
    r.sources = {source};
    r.analysis.workspace = "/data/run.wattproof";
    r.analysis.headline.unit = "token/J";
    r.analysis.headline.value = 412;
    r.analysis.headline.ci95 = analysis::Interval{400, 424};
    r.analysis.headline.domainsMissing = {"host power of " + name};
    r.analysis.energy.totalJ = 1000;
    analysis::DeviceEnergy device;
    device.device = "GPU 0 " + name;
    device.integralJ = 1000;
    r.analysis.energy.devices = {device};
    r.analysis.energy.byPath = {{"compute/" + name, "GPU 0", 700, std::nullopt, 0.7, std::nullopt}};
    r.analysis.findings = {findingFixture(name)};
    r.analysis.needs = {{"thermal_clamp", "throttle reasons of " + name}};
    r.analysis.evidenceMatrix = {{"timeline", true, "tells", "does not prove", "next " + name}};
    store::Annotation note;
    note.ts = 2'000'000;
    note.text = "note " + name;
    note.author = name;
    r.annotations = {note};
    r.warnings = {{SourceId(1), "overlapping_slice", 3, "byte 12", "kept " + name}};
    r.queries = {{"claim " + name, "SELECT 1 -- " + name}};
    return r;
}

}  // namespace wattproof::test
