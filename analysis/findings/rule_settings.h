// Thresholds of the rules: resources/rules.json, which a file of the same name in the configuration folder may
// override.
#pragma once

#include "store/result.h"

#include <string>
#include <string_view>

namespace wattproof::analysis {

// Shares are fractions of the device's span, recoverable and slowdown parts are fractions of the lost time.
struct RuleSettings {
    double hostMinIdleShare, hostStallMs, hostStallShare, hostShortKernelUs, hostRecoverableLow,
        hostRecoverableHigh, hostConfidence;
    double syncMinIdleShare, syncMinPauses, syncRecoverableLow, syncRecoverableHigh, syncConfidence;
    double commMinExposedShare, commMinTotalUs, commRecoverableLow, commConfidence;
    double copyMinExposedShare, copyMinTotalUs, copyRecoverableLow, copyConfidence;
    double clampMinBusyShare, clampSlowdownLow, clampExponentLow, clampExponentHigh, clampConfidence;
    double capMinBusyShare, capSlowdownLow, capExponentLow, capExponentHigh, capNearLimit, capConfidence;
    double loadMinIdleShare, loadRecoverableLow, loadRecoverableHigh, loadConfidence;
    double traceMinBlockedMs, traceMinShare, traceLeadingShare, traceIdleFactor, traceActiveOverDeep,
        traceMinWindows, traceMinShareSpread, traceConfidence;
    double idleWattsSpread;         // the floor's relative half-width at 95 %
    double shortPauseFactor;        // power in pauses too short for clocks to settle, over the floor, at most
    double contradictedConfidence;  // highest confidence of an idle finding that the trace itself contradicts
};

// Reads a document over `base`: keys it leaves out keep their value. An error names origin, key and expected type.
[[nodiscard]] Expected<RuleSettings> parseRuleSettings(std::string_view json, const std::string &origin,
                                                       const RuleSettings &base);

// The settings in force, read once: the shipped ones with the user's over them. A user's file that cannot be read
// leaves the shipped ones in force, and its error in ruleSettingsWarning().
[[nodiscard]] const RuleSettings &ruleSettings();
[[nodiscard]] const std::string &ruleSettingsWarning();

}  // namespace wattproof::analysis
