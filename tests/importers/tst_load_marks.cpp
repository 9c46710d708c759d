// Lists of times at which a load went on and off.
#include "importers/marks/load_marks_importer.h"
#include "tests/support/import_with.h"
#include "tests/support/shared_files.h"

#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

namespace {

constexpr Ns kUs = 1'000;

std::unique_ptr<test::ImportRun> importText(const std::string &text) {
    return test::importBytes(*makeLoadMarksImporter(), text, "marks.csv");
}

double probe(const std::string &text) {
    return makeLoadMarksImporter()->probe({text.data(), text.size()}, "marks.csv");
}

std::vector<const SliceRow *> loads(const test::ImportRun &run) {
    std::vector<const SliceRow *> found;
    for (const SliceRow &slice : run.writer.slices)
        if (slice.kind == SliceKind::Slice)
            found.push_back(&slice);
    return found;
}

}  // namespace

class TestLoadMarks : public QObject {
    Q_OBJECT

private slots:
    void edgesAreOnAndOffInTurn();
    void singleEdgesAreTheSame();
    void timesOutOfOrderAreSorted();
    void wallTimesAreOfTheAssumedZone();
    void aCutLastRowIsLeftOut();
    void timesOfNoClockAreLeftOut();
    void nothingIsRefused();
    void otherTablesAreNotRecognised_data();
    void otherTablesAreNotRecognised();
    void damagedBytesNeverCrash();
    void realMarks();
};

void TestLoadMarks::edgesAreOnAndOffInTurn() {
    const auto run = importText(
        "timestamp\n1689268533578702\n1689268533578702\n1689268539549513\n1689268539549513\n1689268545549631\n"
        "1689268545549631\n");
    QVERIFY2(run->summary, run->outcome().c_str());
    QVERIFY(run->writer.violations.empty());
    QCOMPARE(run->summary->format, std::string("load-marks"));
    const SourceRow &source = run->writer.sources.at(0);
    QVERIFY(source.kind == SourceKind::Trace && source.clock == ClockBasis::Epoch);
    QCOMPARE(source.statedBase, Ns{1689268533578702} * kUs);
    QCOMPARE(loads(*run).size(), std::size_t{1});
    QCOMPARE(loads(*run)[0]->ts, Ns{0});
    QCOMPARE(loads(*run)[0]->dur, Ns{5'970'811} * kUs);
    QCOMPARE(run->writer.findSlice("last mark")->ts, Ns{11'970'929} * kUs);
    QVERIFY(run->writer.gpuOps.empty());  // no work of a device
}

void TestLoadMarks::singleEdgesAreTheSame() {
    const auto run = importText("1689268533.5\n1689268534.5\n1689268536.5\n1689268537\n");
    QVERIFY2(run->summary, run->outcome().c_str());
    QCOMPARE(loads(*run).size(), std::size_t{2});
    QCOMPARE(loads(*run)[1]->ts, Ns{3'000'000'000});
    QCOMPARE(loads(*run)[1]->dur, Ns{500'000'000});
}

void TestLoadMarks::timesOutOfOrderAreSorted() {
    const auto run = importText("time\n1689268536.5\n1689268537.0\n1689268533.5\n1689268534.5\n");
    QVERIFY2(run->summary, run->outcome().c_str());
    QCOMPARE(run->writer.warningCount("out_of_order"), std::int64_t{1});
    QCOMPARE(loads(*run).size(), std::size_t{2});
    QCOMPARE(loads(*run)[0]->dur, Ns{1'000'000'000});
}

void TestLoadMarks::wallTimesAreOfTheAssumedZone() {
    const auto run = importText("time\n2025-07-22 05:10:00\n2025-07-22 05:10:05\n");
    QVERIFY2(run->summary, run->outcome().c_str());
    QVERIFY(run->writer.sources.at(0).clock == ClockBasis::WallAssumedZone);
    QVERIFY(run->writer.sources.at(0).zone.starts_with("UTC"));
}

void TestLoadMarks::aCutLastRowIsLeftOut() {
    const auto run = importText("timestamp\n1689268533578702\n1689268539549513\n168926854554");
    QVERIFY2(run->summary, run->outcome().c_str());
    QCOMPARE(run->writer.warningCount("truncated_input"), std::int64_t{1});
    QCOMPARE(run->summary->events, std::int64_t{2});
    QCOMPARE(importText("1689268533578702\n1689268539549513")->summary->events, std::int64_t{2});
}

// Seconds that nanoseconds can hold, but not their differences.
void TestLoadMarks::timesOfNoClockAreLeftOut() {
    const auto run = importText("1689268533.5\n1689268534.5\n5000000000\n5100000000\n");
    QVERIFY2(run->summary, run->outcome().c_str());
    QVERIFY(run->writer.violations.empty());
    QCOMPARE(run->writer.warningCount("timestamp_overflow"), std::int64_t{2});
    QCOMPARE(loads(*run).size(), std::size_t{1});
    QCOMPARE(loads(*run)[0]->dur, Ns{1'000'000'000});
}

void TestLoadMarks::nothingIsRefused() {
    const auto run = importText("timestamp\n\n");
    QVERIFY(!run->summary);
    QVERIFY(run->outcome().find("no times") != std::string::npos);
    QVERIFY(run->writer.finished.empty());
}

void TestLoadMarks::otherTablesAreNotRecognised_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isMarks");
    QTest::newRow("marks") << QByteArray("timestamp\n1689268533578702\n1689268539549513\n") << true;
    QTest::newRow("cut head") << QByteArray("timestamp\n1689268533578702\n1689268539549513\n16892") << true;
    QTest::newRow("two columns") << QByteArray("timestamp,power\n1689268533578702,5\n1689268539549513,6\n") << false;
    QTest::newRow("latencies") << QByteArray("time\n12.5\n13.5\n14\n") << false;
    QTest::newRow("falling") << QByteArray("1689268539549513\n1689268533578702\n1689268539549513\n") << false;
    QTest::newRow("one time") << QByteArray("timestamp\n1689268533578702\n") << false;
    QTest::newRow("other header") << QByteArray("power\n1689268533578702\n1689268539549513\n") << false;
    QTest::newRow("nothing") << QByteArray() << false;
}

void TestLoadMarks::otherTablesAreNotRecognised() {
    QFETCH(QByteArray, text);
    QFETCH(bool, isMarks);
    QCOMPARE(probe(text.toStdString()) > 0, isMarks);
}

void TestLoadMarks::damagedBytesNeverCrash() {
    std::string good = "timestamp\n";
    for (int i = 0; i < 40; ++i)
        good += std::to_string(1689268533578702 + i * 52000) + "\n";
    std::mt19937 random(5);
    for (int round = 0; round < 400; ++round) {
        std::string bad = good;
        for (int i = 0; i < 4; ++i)
            bad[random() % bad.size()] = static_cast<char>(random() % 256);
        bad.resize(random() % bad.size());
        static_cast<void>(probe(bad));
        const auto run = importText(bad);
        QVERIFY2(run->writer.violations.empty(), bad.c_str());
    }
}

void TestLoadMarks::realMarks() {
    WATTPROOF_SHARED_OR_SKIP(path, "powerlogs/nvidia-smi-query/a100_duty50_load_marks_us.csv");
    auto input = Input::open(path.toStdString());
    QVERIFY(input);
    const auto importer = recognise(**input, {});
    QVERIFY(importer);
    QCOMPARE(std::string((*importer)->name()), std::string("load-marks"));
    const auto run = test::importWith(**importer, **input);
    QVERIFY2(run->summary, run->outcome().c_str());
    QCOMPARE(run->summary->events, std::int64_t{306});
    QCOMPARE(loads(*run).size(), std::size_t{76});  // 153 edges
    QVERIFY(run->writer.warnings.empty());
}

QTEST_GUILESS_MAIN(TestLoadMarks)
#include "tst_load_marks.moc"
