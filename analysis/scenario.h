// The scenario: what counts as work, which latency is promised, which domains belong to the headline. Every key is
// optional; what is absent is detected, and `detected` says how. Document format: docs/cli.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "store/result.h"

namespace wattproof::analysis {

struct SlaTerm {
    std::string metric = "latency";
    double percentile = 99;
    double limitMs = 0;
};

struct Guardrail {
    std::string metric, slice = "*";
    std::optional<double> min, max;
};

struct Scenario {
    std::string name, workload, declaredPrecision;
    std::string unitName;                        // "token"; empty: detected
    std::string unitSlices;                      // glob over slice names; empty: detected
    std::optional<double> unitAmount;            // units per slice
    std::string unitAmountArgument;              // or the argument that holds it ("args.tokens")
    std::vector<SlaTerm> sla;
    std::optional<double> windowSeconds;         // in which the pace of the work is looked at; absent: follows the run
    std::string sustainedMode = "auto";
    std::map<std::string, std::vector<std::string>> domains;    // accelerator, host, memory, rest -> device or domain names
    std::map<std::string, double> idleFloorW;
    std::map<std::string, std::string> deviceSpecs;
    std::optional<double> budgetJPerUnit;
    std::vector<std::string> productionShapes;
    std::vector<Guardrail> guardrails;
    std::map<std::string, std::string> detected; // key -> how it was found
};

// An error names the key and the type it expects; unknown keys are errors, so that a misspelt one is not ignored.
[[nodiscard]] Expected<Scenario> parseScenario(const std::string &json, const std::string &origin);
[[nodiscard]] nlohmann::json toJson(const Scenario &);

}  // namespace wattproof::analysis
