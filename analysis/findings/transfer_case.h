// Work that moves data (collectives, copies) and what of it nothing hides: common to the rules on it.
#pragma once

#include "analysis/findings/finding_builder.h"

#include <string>

namespace wattproof::analysis {

struct TransferCase {
    const DeviceScope &scope;
    sql::Work work;              // Communication or Copy
    const IntervalSet &all;      // when it ran
    IntervalSet exposed;         // beside nothing that is worth waiting for
    std::string exposedMsQuery;  // gives its length

    [[nodiscard]] Ns time() const { return length(exposed); }
    [[nodiscard]] Ns total() const { return length(all); }
    // Computation beside which none of it runs yet: room to hide in.
    [[nodiscard]] Ns room() const { return length(difference(scope.activity.compute, all)); }
    [[nodiscard]] bool matters(double minTotalUs, double minExposedShare) const;
};

// Communication is exposed without computation beside it; copies without computation or communication.
[[nodiscard]] TransferCase communicationCase(const DeviceScope &);
[[nodiscard]] TransferCase copyCase(const DeviceScope &);

// How a rule calls its work in evidence and checks.
struct TransferWords {
    std::string exposed;   // "communication not hidden behind computation"
    std::string all;       // "communication in all"
    std::string activity;  // "the communication"
};

// A draft with its joules, evidence and the check that more is exposed than hidden.
[[nodiscard]] Finding transferFinding(const TransferCase &, const std::string &rule, const TransferWords &,
                                      double recoverableLow, double confidence);

}  // namespace wattproof::analysis
