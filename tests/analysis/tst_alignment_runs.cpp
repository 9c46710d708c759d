// How often an alignment is right, over runs whose truth is known.
#include "analysis/alignment/align.h"
#include "tests/analysis/alignment_runs.h"

#include <cstdlib>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

// Alignment was developed on the seeds from 1 on; these are others.
constexpr std::uint32_t kFirstSeed = 500'000;
constexpr int kRuns = 200;
constexpr double kConfident = 0.9;

void count(RunTally &t, const RandomRun &run, const AlignmentProposal &p) {
    constexpr int kEdgesThatTell = 5;
    ++t.runs;
    const bool edgy = run.distinctEdges >= kEdgesThatTell;
    t.edgy += edgy;
    t.edgyRefused += edgy && !p.alignment;
    if (!p.alignment)
        return;
    ++t.answered;
    const Ns error = std::llabs(p.alignment->offset - run.offset);
    t.withinHalf += error <= run.channel.sensor.period / 2;
    t.withinOne += error <= run.channel.sensor.period;
    const bool confident = p.alignment->confidence >= kConfident;
    t.confident += confident;
    t.confidentlyWrong += confident && error > run.channel.sensor.period;
}

}  // namespace

class TestAlignmentRuns : public QObject {
    Q_OBJECT
private slots:
    void declaredLagsAreWithinHalfAPeriod();
    void unknownLagsAreWithinTheUncertainty();
};

void TestAlignmentRuns::declaredLagsAreWithinHalfAPeriod() {
    RunTally t;
    for (int i = 0; i < kRuns; ++i) {
        const RandomRun run = randomRun(kFirstSeed + static_cast<std::uint32_t>(i));
        const AlignmentProposal p = correlate(run.busy, PowerSeries(run.channel, run.samples), {});
        count(t, run, p);
    }
    qInfo(
        "%d runs: %d answered, %d within half a period, %d within one, %d confident, %d confidently wrong; "
        "%d of %d runs with five or more distinct edges refused",
        t.runs, t.answered, t.withinHalf, t.withinOne, t.confident, t.confidentlyWrong, t.edgyRefused, t.edgy);
    QVERIFY(t.withinHalf * 100 >= 95 * t.answered);
    QCOMPARE(t.confidentlyWrong, 0);
    QVERIFY(t.edgyRefused * 100 <= 15 * t.edgy);
    QVERIFY2(t.edgy >= 100, "too few of the runs tell anything");
}

void TestAlignmentRuns::unknownLagsAreWithinTheUncertainty() {
    RunTally t;
    int covered = 0;
    RandomRunOptions options;
    options.lagDeclared = false;
    for (int i = 0; i < 60; ++i) {
        const RandomRun run = randomRun(kFirstSeed + 1000 + static_cast<std::uint32_t>(i), options);
        const AlignmentProposal p = correlate(run.busy, PowerSeries(run.channel, run.samples), {});
        count(t, run, p);
        covered += p.alignment && std::llabs(p.alignment->offset - run.offset) <= p.alignment->uncertainty;
    }
    qInfo("lag unknown: %d of %d answers within their uncertainty", covered, t.answered);
    QVERIFY2(t.answered >= 30, "too few of the runs are answered");
    QVERIFY(covered * 100 >= 95 * t.answered);
}

QTEST_GUILESS_MAIN(TestAlignmentRuns)
#include "tst_alignment_runs.moc"
