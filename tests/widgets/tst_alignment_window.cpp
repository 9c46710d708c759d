#include "importers/session.h"
#include "tests/widgets/pane_bench.h"
#include "widgets/panes/alignment_pane.h"
#include "widgets/panes/alignment_plot.h"
#include "widgets/panes/alignment_window.h"

#include <cmath>
#include <cstdio>
#include <fstream>

#include <QPushButton>
#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

class AlignmentWindowTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void curvesStandOverEachOther();
    void draggingMovesThePowerAndItsScore();
    void arrowKeysMoveFineAndCoarse();
    void applyStoresAndUndoTakesBack();
    void resetGoesBackToWhatIsInForce();
    void bestFitIsThePeak();
    void withoutATraceItSaysWhatIsMissing();
    void aMarkedLoadStandsForTheDevices();
    void tooFlatIsRefusedWithASentence();

private:
    [[nodiscard]] AlignableSource log() const;
    [[nodiscard]] Ns storedOffset() const;
    void click(const char *name) const {
        QTest::mouseClick(window_->button(QString::fromLatin1(name)), Qt::LeftButton);
    }

    std::unique_ptr<PaneBench> bench_;
    std::unique_ptr<AlignmentPane> pane_;
    AlignmentWindow *window_ = nullptr;
};

AlignableSource AlignmentWindowTest::log() const {
    auto alignments = require(bench_->session->workspace().edits().alignments());
    const auto reader = require(bench_->session->workspace().reader());
    return require(readAlignable(*reader, alignments)).at(0);
}

Ns AlignmentWindowTest::storedOffset() const {
    bench_->session->edits().waitIdle();
    return log().alignment.offset;
}

void AlignmentWindowTest::init() {
    bench_ = std::make_unique<PaneBench>();
    pane_ = std::make_unique<AlignmentPane>(bench_->session.get(), draw::lightTheme());
    bench_->show(*pane_, 800, 200);
    window_ = pane_->openWindow();
    QVERIFY(window_);
    bench_->settle(*window_);
}

void AlignmentWindowTest::cleanup() {
    pane_.reset();
    bench_.reset();
}

void AlignmentWindowTest::curvesStandOverEachOther() {
    AlignmentPlot &plot = *window_->plot();
    const QRect whole = plot.rect().adjusted(0, 50, 0, 0);
    QVERIFY(countColour(plot, whole,
                        draw::blend(draw::lightTheme().fillOf("gemm"), draw::lightTheme().background, 0.55)) >
            500);
    QVERIFY(countColour(plot, whole, draw::lightTheme().text) > 30);
    QVERIFY2(window_->scoreText().contains("Correlation 0."), qPrintable(window_->scoreText()));
}

void AlignmentWindowTest::draggingMovesThePowerAndItsScore() {
    const QString before = window_->scoreText();
    AlignmentPlot &plot = *window_->plot();
    drag(plot, {300, 120}, {360, 120});
    bench_->settle(*window_);
    const double moved = static_cast<double>(plot.offset() - log().alignment.offset);
    QVERIFY(std::abs(moved - 60 * plot.timeScale().nsPerPixel()) <= plot.timeScale().nsPerPixel());
    QVERIFY(window_->scoreText() != before);
    QCOMPARE(storedOffset(), log().alignment.offset);  // nothing is stored before Apply
}

void AlignmentWindowTest::arrowKeysMoveFineAndCoarse() {
    AlignmentPlot &plot = *window_->plot();
    const Ns start = plot.offset();
    QCOMPARE(plot.fineStep(), kMs / 2);  // a tenth of the 5 ms between readings
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.offset(), start + plot.fineStep());
    QTest::keyClick(&plot, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(plot.offset(), start + plot.fineStep() - plot.coarseStep());
}

void AlignmentWindowTest::applyStoresAndUndoTakesBack() {
    const Ns start = storedOffset();
    QVERIFY(!window_->button("apply")->isEnabled());
    QTest::keyClick(window_->plot(), Qt::Key_Right);
    click("apply");
    bench_->settle(*window_);
    QCOMPARE(storedOffset(), start + window_->plot()->fineStep());
    click("undo");
    bench_->settle(*window_);
    QCOMPARE(storedOffset(), start);
    QTRY_COMPARE(window_->plot()->offset(), start);
}

void AlignmentWindowTest::resetGoesBackToWhatIsInForce() {
    const Ns start = window_->plot()->offset();
    QTest::keyClick(window_->plot(), Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(window_->button("reset")->isEnabled());
    click("reset");
    QCOMPARE(window_->plot()->offset(), start);
    QVERIFY(!window_->button("reset")->isEnabled());
}

void AlignmentWindowTest::bestFitIsThePeak() {
    QVERIFY(!window_->verdict().isEmpty());
    if (!window_->button("best")->isEnabled())
        QSKIP("the small run has too few edges for a peak");
    click("best");
    bench_->settle(*window_);
    QVERIFY(window_->scoreText().contains("Correlation 0.") || window_->scoreText().contains("Correlation 1."));
}

void AlignmentWindowTest::withoutATraceItSaysWhatIsMissing() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &writer) {
        SourceRow row = traceSource(0);
        row.kind = SourceKind::Power;
        require(writer.finishSource(require(writer.addSource(row))));
    });
    Session session(files.open());
    AlignableSource source;
    source.source.id = SourceId(1);
    AlignmentWindow window(&session, source, draw::lightTheme());
    QTRY_VERIFY2(window.verdict().contains("add the trace"), qPrintable(window.verdict()));
    QVERIFY(!window.button("apply")->isEnabled());
}

void AlignmentWindowTest::aMarkedLoadStandsForTheDevices() {
    const TemporaryWorkspace files;
    const std::string log = files.path("log.csv"), marks = files.path("marks.csv");
    std::ofstream rows(log);
    rows << "timestamp, index, power.draw [W]\n";
    for (int i = 0; i < 300; ++i) {
        char row[80];
        std::snprintf(row, sizeof row, "2025/01/01 00:00:%02d.%03d, 0, %.2f W\n", i / 10, i % 10 * 100,
                      (i >= 80 && i < 150) || (i >= 200 && i < 240) ? 300.0 + i % 7 : 60.0 + i % 5);
        rows << row;
    }
    rows.close();
    // 8 to 15 and 20 to 24 s after 2025-01-01 00:00 UTC.
    std::ofstream(marks) << "timestamp\n1735689608000000\n1735689615000000\n1735689620000000\n1735689624000000\n";
    static_cast<void>(require(importers::importToNew({log, marks}, files.path(), {}, {})));
    Session session(files.open());
    const auto reader = require(session.workspace().reader());
    AlignmentWindow window(&session, require(readAlignable(*reader, {})).at(0), draw::lightTheme());
    QTRY_VERIFY2(window.verdict().startsWith("Best fit at "), qPrintable(window.verdict()));
    QTRY_VERIFY2(window.scoreText().startsWith("Correlation 0.9"), qPrintable(window.scoreText()));
}

void AlignmentWindowTest::tooFlatIsRefusedWithASentence() {
    // Power that does not follow the load at all.
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &writer) {
        static_cast<void>(timelineRun(writer));
        SourceRow row = traceSource(1'700'000'000'000'000'000, "flat");
        row.kind = SourceKind::Power;
        const SourceId source = require(writer.addSource(row));
        DeviceRow gpu;
        gpu.source = source;
        gpu.name = "GPU 0";
        gpu.nativeId = "0";
        CounterRow power;
        power.source = source;
        power.device = writer.addDevice(gpu);
        power.name = power.quantity = "power";
        power.unit = "W";
        std::vector<Sample> flat;
        for (int i = 0; i < 60; ++i)
            flat.push_back({i * 2 * kMs, 100.0});
        require(writer.writeSamples(writer.addCounter(power), flat));
        require(writer.finishSource(source));
    });
    Session session(files.open());
    const auto reader = require(session.workspace().reader());
    const auto sources = require(readAlignable(*reader, {}));
    AlignmentWindow window(&session, sources.back(), draw::lightTheme());
    QTRY_VERIFY2(window.verdict().startsWith("No automatic answer: "), qPrintable(window.verdict()));
    QVERIFY(window.verdict().size() > 30);
}

QTEST_MAIN(AlignmentWindowTest)
#include "tst_alignment_window.moc"
