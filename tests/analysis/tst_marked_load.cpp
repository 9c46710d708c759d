// Logs put on the clock of a marked load, from the files as a user imports them.
#include "store/reader.h"
#include "tests/support/analysed_run.h"
#include "tests/support/shared_files.h"

#include <cmath>
#include <random>

#include <QFile>
#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

namespace {

constexpr Ns kMs = 1'000'000;
constexpr Ns kHour = 3'600'000'000'000;

std::string writeText(const QTemporaryDir &dir, const QString &name, const QByteArray &text) {
    QFile file(dir.filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName().toStdString() : "";
}

// A load with random edges, marked in epoch microseconds, and the power of a sensor that averages 100 ms, each
// moment at the time of a clock of its own.
struct MarkedRun {
    QByteArray marks, log;
};

// `ppm`: how much the log's clock is slow.
MarkedRun markedRun(std::uint32_t seed, double logStart, double seconds = 36, double ppm = 0) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> length(0.4, 2.5);
    std::normal_distribution<double> noise(0, 3);
    std::vector<double> edges;
    for (double t = 4; t < 4 + seconds; t += length(random))
        edges.push_back(t);
    if (edges.size() % 2 == 1)
        edges.pop_back();
    MarkedRun run;
    run.marks = "timestamp\n";
    for (const double edge : edges)
        run.marks += QByteArray::number(1'700'000'000'000'000 + std::llround(edge * 1e6)) + "\n";
    run.log = "time_s,power_w\n";
    const auto busy = [&](double from, double to) {
        double sum = 0;
        for (std::size_t i = 0; i < edges.size(); i += 2)
            sum += std::max(0.0, std::min(to, edges[i + 1]) - std::max(from, edges[i]));
        return sum / (to - from);
    };
    for (int i = 0; 0.1 * i < seconds + 9; ++i) {
        const double t = 0.1 * i;
        run.log += QByteArray::number(logStart + t * (1 - ppm * 1e-6), 'f', 6) + "," +
                   QByteArray::number(60 + 240 * busy(t - 0.1, t) + noise(random), 'f', 2) + "\n";
    }
    return run;
}

}  // namespace

class TestMarkedLoad : public QObject {
    Q_OBJECT

private slots:
    void realLogsAreOneHourAhead_data();
    void realLogsAreOneHourAhead();
    void aLogOfItsOwnClockIsFound();
    void aSlowClockIsPutRight();
    void aLogOfAnotherRunIsRefused();
};

void TestMarkedLoad::realLogsAreOneHourAhead_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("periodMs");
    QTest::newRow("k40m") << "k40m_step" << 30;
    QTest::newRow("rtx4090") << "rtx4090_step" << 100;
    QTest::newRow("a100, periodic load") << "a100_duty50" << 101;
}

void TestMarkedLoad::realLogsAreOneHourAhead() {
    QFETCH(QString, name);
    QFETCH(int, periodMs);
    const auto [log, marks] = test::markedLog(name);
    if (log.isEmpty())
        QSKIP("skipped: the shared power logs are not here");
    const QTemporaryDir dir;
    const test::AnalysedRun run = test::analysed(dir, {log.toStdString(), marks.toStdString()});
    QVERIFY2(run.error.empty(), run.error.c_str());
    QCOMPARE(run.alignments.size(), std::size_t{1});
    const AlignmentProposal &p = run.alignments[0].proposal;
    QVERIFY2(p.alignment.has_value(), p.refusal.c_str());
    qInfo("offset %.6f s ± %.1f ms, confidence %.2f: %s", double(p.alignment->offset) / 1e9,
          double(p.alignment->uncertainty) / 1e6, p.alignment->confidence, p.alignment->note.c_str());
    QVERIFY(std::llabs(p.alignment->offset + kHour) <= periodMs * kMs);
    QVERIFY(std::llabs(p.alignment->offset + kHour) <= p.alignment->uncertainty);
    QVERIFY(p.alignment->note.find("against the marked load") != std::string::npos);
    QVERIFY(p.alignment->note.find("zone") != std::string::npos);
    QVERIFY(p.alignment->note.find("-1:00 h") != std::string::npos);
    QCOMPARE(p.zone.value_or(""), std::string("UTC+01:00"));
    QVERIFY(p.alignment->note.find("guessed as UTC+01:00") != std::string::npos);
    // What is stored is what every view shows.
    const auto reader = run.workspace->reader();
    QVERIFY(reader);
    const auto sources = (*reader)->sources();
    QVERIFY(sources);
    for (const SourceRow &source : *sources)
        QCOMPARE(source.map.offset, source.kind == SourceKind::Power ? p.alignment->offset : 0);
}

void TestMarkedLoad::aLogOfItsOwnClockIsFound() {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const QTemporaryDir dir;
        const MarkedRun made = markedRun(seed, 12.345);
        const test::AnalysedRun run = test::analysed(
            dir, {writeText(dir, "marks.csv", made.marks), writeText(dir, "power.csv", made.log)});
        QVERIFY2(run.error.empty(), run.error.c_str());
        QCOMPARE(run.alignments.size(), std::size_t{1});
        const AlignmentProposal &p = run.alignments[0].proposal;
        QVERIFY2(p.alignment.has_value(), p.refusal.c_str());
        QVERIFY(p.alignment->confidence >= 0.9);
        // Workspace time of the load's first edge, as the log saw it: 4 s after the log's begin, which it calls 12.345.
        const auto reader = run.workspace->reader();
        QVERIFY(reader);
        const auto tracks = (*reader)->tracks();
        const auto counters = (*reader)->counters();
        QVERIFY(tracks && counters && counters->size() == 1);
        const TimeRange power = counters->front().extent;
        TimeRange load;
        for (const TrackRow &track : *tracks)
            if (track.name == "Marked load")
                load = track.extent;
        const double ms = static_cast<double>(load.begin - power.begin) / 1e6;
        QVERIFY2(std::abs(ms - 4000) <= 50, qPrintable(QString::number(ms)));
    }
}

void TestMarkedLoad::aSlowClockIsPutRight() {
    const QTemporaryDir dir;
    const MarkedRun made = markedRun(3, 0, 591, 250);
    const test::AnalysedRun run =
        test::analysed(dir, {writeText(dir, "marks.csv", made.marks), writeText(dir, "power.csv", made.log)});
    QVERIFY2(run.error.empty(), run.error.c_str());
    const AlignmentProposal &p = run.alignments.at(0).proposal;
    QVERIFY2(p.alignment.has_value(), p.refusal.c_str());
    qInfo("%s", p.alignment->note.c_str());
    QVERIFY(p.clock && std::abs(p.clock->ppm - 250) <= 10);
    QCOMPARE(p.alignment->driftPpb, std::llround(p.clock->ppm * 1000));
    const auto reader = run.workspace->reader();
    QVERIFY(reader);
    const auto counters = (*reader)->counters();
    const auto tracks = (*reader)->tracks();
    QVERIFY(counters && counters->size() == 1 && tracks);
    TimeRange load;
    for (const TrackRow &track : *tracks)
        if (track.name == "Marked load")
            load = track.extent;
    // 600 s of readings, the first 4 s before the first edge: as long as they truly were.
    const TimeRange log = counters->front().extent;
    QVERIFY(std::llabs(log.length() - 599'900 * kMs) <= 10 * kMs);
    QVERIFY(std::llabs(load.begin - log.begin - 4000 * kMs) <= 50 * kMs);
    // Found again from the drifting times, it is the same.
    const auto again = alignAutomatically(*run.workspace, {});
    QVERIFY(again && again->at(0).proposal.alignment);
    QVERIFY(std::llabs(again->at(0).proposal.alignment->driftPpb - p.alignment->driftPpb) <= 10);
    QVERIFY(std::llabs(again->at(0).proposal.alignment->offset - p.alignment->offset) <= 1000);
}

void TestMarkedLoad::aLogOfAnotherRunIsRefused() {
    const QTemporaryDir dir;
    const test::AnalysedRun run = test::analysed(dir, {writeText(dir, "marks.csv", markedRun(1, 0).marks),
                                                       writeText(dir, "power.csv", markedRun(77, 0).log)});
    QVERIFY2(run.error.empty(), run.error.c_str());
    QCOMPARE(run.alignments.size(), std::size_t{1});
    QVERIFY(!run.alignments[0].proposal.alignment || run.alignments[0].proposal.alignment->confidence < 0.9);
}

QTEST_GUILESS_MAIN(TestMarkedLoad)
#include "tst_marked_load.moc"
