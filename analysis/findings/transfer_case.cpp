#include "analysis/findings/transfer_case.h"

namespace wattproof::analysis {

bool TransferCase::matters(double minTotalUs, double minExposedShare) const {
    return static_cast<double>(total()) >= minTotalUs * 1000 && scope.shareOfSpan(time()) >= minExposedShare;
}

TransferCase communicationCase(const DeviceScope &s) {
    const DeviceActivity &a = s.activity;
    return {s, sql::Work::Communication, a.communication, difference(a.communication, a.compute),
            sql::minus(sql::unionMs(s.computeAndCommunication()), sql::unionMs(s.operations(sql::Work::Compute)))};
}

TransferCase copyCase(const DeviceScope &s) {
    const DeviceActivity &a = s.activity;
    return {s, sql::Work::Copy, a.copies, difference(a.copies, unionOf(a.compute, a.communication)),
            sql::minus(sql::unionMs(s.operations()), sql::unionMs(s.computeAndCommunication()))};
}

Finding transferFinding(const TransferCase &c, const std::string &rule, const TransferWords &words,
                        double recoverableLow, double confidence) {
    const DeviceScope &s = c.scope;
    Finding f = draft(s, rule, hullOf(c.exposed));
    setSavedTransfer(f, s, c.exposed, c.room(), recoverableLow);
    setConfidence(f, confidence, "exposed time is measured from the device's own records");
    const std::string file = s.traceFile();
    const std::string all = sql::unionMs(s.operations(c.work));
    addEvidence(f, words.exposed, toMs(static_cast<double>(c.time())), "ms", c.exposedMsQuery,
                longestOf(c.exposed), file);
    addEvidence(f, words.all, toMs(static_cast<double>(c.total())), "ms", all, s.span(), file);
    addEvidence(f, "computation", toMs(static_cast<double>(length(s.activity.compute))), "ms",
                sql::unionMs(s.operations(sql::Work::Compute)), s.span(), file);
    addCheck(f, "more of " + words.activity + " is exposed than hidden",
             sql::compare("SELECT 2 * (" + c.exposedMsQuery + ")", ">", all), 2 * c.time() > c.total(), 0.8);
    noteEnergySource(f, s);
    return f;
}

}  // namespace wattproof::analysis
