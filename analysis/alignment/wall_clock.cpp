#include "analysis/alignment/align.h"
#include "analysis/alignment/sensor_view.h"
#include "analysis/alignment/zone_guess.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wattproof::analysis {
namespace {

constexpr Ns kQuarterHour = 900'000'000'000;
constexpr int kMaxQuarters = 26 * 4;
constexpr double kMinOverlap = 0.5;    // of the shorter of log and trace
constexpr double kConvincing = 0.6;    // correlation that speaks for a shift
constexpr double kMinLead = 0.2;       // over the clocks as stated
constexpr double kClockDoubtNs = 1e6;  // two synchronised clocks of one machine

struct Candidate {
    Ns offset = 0;
    double overlap = 0, correlation = 0;
    [[nodiscard]] bool overlaps() const { return overlap >= kMinOverlap; }
};

double overlapShare(TimeRange run, TimeRange log, Ns offset) {
    const Ns both = std::min(run.end, log.end + offset) - std::max(run.begin, log.begin + offset);
    const Ns shorter = std::max<Ns>(1, std::min(run.length(), log.length()));
    return both <= 0 ? 0 : static_cast<double>(both) / static_cast<double>(shorter);
}

Candidate candidateAt(const IntervalSet &busy, const PowerSeries &power, Ns offset) {
    Candidate c;
    c.offset = offset;
    c.overlap = overlapShare({busy.front().begin, busy.back().end}, power.extent(), offset);
    if (c.overlaps())
        c.correlation = alignmentScore(busy, power, offset);
    return c;
}

// Shifts of whole quarters by which the log would overlap the run, best correlation first.
std::vector<Candidate> shifts(const IntervalSet &busy, const PowerSeries &power) {
    std::vector<Candidate> found;
    for (int quarters = -kMaxQuarters; quarters <= kMaxQuarters; ++quarters) {
        if (quarters == 0)
            continue;
        const Candidate c = candidateAt(busy, power, quarters * kQuarterHour);
        if (c.overlaps())
            found.push_back(c);
    }
    // A zone differs by whole hours far more often than by a half or a quarter.
    std::stable_sort(found.begin(), found.end(), [](const Candidate &a, const Candidate &b) {
        return a.correlation - (a.offset % (4 * kQuarterHour) != 0 ? 0.1 : 0.0) >
               b.correlation - (b.offset % (4 * kQuarterHour) != 0 ? 0.1 : 0.0);
    });
    return found;
}

AlignmentProposal settled(const PowerSeries &power, const Candidate &chosen, double confidence, std::string note) {
    const SensorModel model = sensorModel(power);
    store::Alignment a;
    a.offset = chosen.offset;
    a.method = "wall-clock";
    a.confidence = confidence;
    a.uncertainty = (model.period + 1) / 2 + model.lagDoubt + static_cast<Ns>(kClockDoubtNs);
    a.note = std::move(note);
    AlignmentProposal proposal;
    proposal.alignment = std::move(a);
    proposal.peak = AlignmentScore{chosen.offset, chosen.correlation};
    proposal.searched = {-kMaxQuarters * kQuarterHour, kMaxQuarters * kQuarterHour};
    return proposal;
}

std::string shiftNote(const Candidate &chosen, const Candidate &next, bool zoneAssumed) {
    const auto minutes = static_cast<long long>(chosen.offset / 60'000'000'000);
    const std::string why = zoneAssumed ? "the log names no zone, guessed as " + zoneOfShift(chosen.offset)
                                        : "the log's clock is in another zone than stated";
    char text[240];
    std::snprintf(text, sizeof text, "%s: shifted by %c%lld:%02lld h (correlation with the load %.2f, ", why.c_str(),
                  minutes < 0 ? '-' : '+', std::llabs(minutes) / 60, std::llabs(minutes) % 60, chosen.correlation);
    char other[60];
    std::snprintf(other, sizeof other, "next best %.2f)", next.correlation);
    return std::string(text) + (next.overlaps() ? other : "no other zone overlaps)");
}

AlignmentProposal asStated(const PowerSeries &power, const Candidate &stated, bool zoneAssumed) {
    const bool agrees = stated.correlation >= kConvincing;
    const double confidence = agrees ? 0.97 : zoneAssumed ? 0.75 : 0.9;
    char text[200];
    std::snprintf(text, sizeof text, "both state wall time%s and overlap; correlation with the load %.2f%s",
                  zoneAssumed ? " (the log's zone is assumed)" : "", stated.correlation,
                  agrees ? "" : ": too flat or too coarse to confirm it");
    return settled(power, stated, confidence, text);
}

bool convincesAgainst(const Candidate &shift, const Candidate &stated) {
    return shift.correlation >= kConvincing && shift.correlation >= stated.correlation + kMinLead;
}

// What speaks most against the first of the shifts: another one, or the clocks as stated.
Candidate nextBest(const Candidate &stated, const std::vector<Candidate> &others) {
    Candidate next = stated;
    for (std::size_t i = 1; i < others.size(); ++i)
        if (!next.overlaps() || others[i].correlation > next.correlation)
            next = others[i];
    return next;
}

AlignmentProposal disjoint(const IntervalSet &busy, const PowerSeries &power) {
    const auto hours = static_cast<double>(power.extent().begin - busy.front().begin) / 3.6e12;
    char text[240];
    std::snprintf(text, sizeof text,
                  "log and trace state wall times that do not overlap (the log begins %+.2f h after the first "
                  "operation), and "
                  "no change of zone would make them: check that both are of one run, or align by hand",
                  hours);
    AlignmentProposal proposal;
    proposal.refusal = text;
    return proposal;
}

}  // namespace

AlignmentProposal alignByClock(const IntervalSet &busy, const PowerSeries &power, bool zoneAssumed) {
    if (busy.empty() || power.samples().empty()) {
        AlignmentProposal proposal;
        proposal.refusal = "the trace has no device operations, or the log no readings, to compare";
        return proposal;
    }
    const Candidate stated = candidateAt(busy, power, 0);
    const std::vector<Candidate> others = shifts(busy, power);
    if (stated.overlaps() && (others.empty() || !convincesAgainst(others.front(), stated)))
        return asStated(power, stated, zoneAssumed);
    if (others.empty())
        return disjoint(busy, power);
    const Candidate next = nextBest(stated, others);
    const Candidate &chosen = others.front();
    const bool convinces = chosen.correlation >= kConvincing;
    const bool leads = chosen.correlation >= next.correlation + kMinLead;
    const double confidence = convinces && leads ? 0.97 : convinces ? 0.6 : !next.overlaps() ? 0.7 : 0.4;
    AlignmentProposal proposal = settled(power, chosen, confidence, shiftNote(chosen, next, zoneAssumed));
    if (next.overlaps())
        proposal.secondPeak = AlignmentScore{next.offset, next.correlation};
    return proposal;
}

}  // namespace wattproof::analysis
