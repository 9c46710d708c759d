// What the window draws is what SQL says: no slice as wide as a pixel is missing, nothing is drawn where nothing
// ran, and a column's busy share is the union of its intervals. On random runs, at all zooms.
#include "tests/widgets/pane_bench.h"
#include "widgets/occupancy/occupancy_painter.h"
#include "widgets/timeline/timeline_pane.h"

#include <cmath>
#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

constexpr Ns kRun = 100'000'000;
constexpr int kRows = 3, kSlicesOfARow = 1500;
constexpr double kClear = 2.5;  // pixels: nearer to an edge a slice may be rounded to either side

// Each row of one track filled from left to right with lengths and gaps from 1 ns to a hundredth of the run: rows
// are depths, a slice of a deeper row lies wholly in one above it or in none.
std::vector<SliceRow> randomSlices(std::mt19937 &random, StringId name) {
    std::uniform_real_distribution<double> exponent(0, 6);
    std::vector<SliceRow> slices;
    const auto some = [&] { return static_cast<Ns>(std::pow(10.0, exponent(random))); };
    const auto fill = [&](auto &self, TimeRange range, std::int32_t row, int most) -> void {
        Ns at = range.begin + some() / 10;
        for (int i = 0; i < most; ++i) {
            const Ns length = some();
            if (at + length > range.end)
                return;
            slices.push_back(sliceAt(at, length, name, row));
            slices.back().depth = row;
            if (row + 1 < kRows)
                self(self, {at, at + length}, row + 1, 5);
            at += length + some() / 3;
        }
    };
    fill(fill, {0, kRun}, 0, kSlicesOfARow);
    return slices;
}

struct RandomRun {
    TemporaryWorkspace files;
    TrackId track;
    std::unique_ptr<Session> session;

    explicit RandomRun(unsigned seed) {
        std::mt19937 random(seed);
        files.create([&](store::BulkWriter &writer) {
            const SourceId source = require(writer.addSource(traceSource(1'700'000'000'000'000'000)));
            const ProcessId process = writer.addProcess({{}, source, "1", "program", "", std::nullopt});
            TrackRow row;
            row.source = source;
            row.name = "main";
            row.process = process;
            row.thread = writer.addThread({{}, source, process, "1", "main", std::nullopt});
            track = writer.addTrack(row);
            std::vector<SliceRow> slices = randomSlices(random, writer.intern("work"));
            std::vector<std::int32_t> parents(slices.size(), -1);
            std::vector<std::int32_t> open(kRows, -1);
            for (std::size_t i = 0; i < slices.size(); ++i) {
                const auto depth = static_cast<std::size_t>(slices[i].row);
                open[depth] = static_cast<std::int32_t>(i);
                if (depth > 0)
                    parents[i] = open[depth - 1];
            }
            require(writer.writeTrackSlices(track, slices, parents));
            require(writer.finishSource(source));
        });
        session = std::make_unique<Session>(files.open());
        session->view().setExtent(require(require(session->workspace().reader())->extent()));
        session->view().fitAll();
    }

    // By SQL: begin, end and row of all that shows.
    std::vector<std::pair<TimeRange, int>> shown(TimeRange visible) const {
        std::vector<std::pair<TimeRange, int>> found;
        const auto rows = plainQuery(
            files.path(), "SELECT ts, ts + dur, depth FROM slices WHERE ts <= " + std::to_string(visible.end) +
                              " AND ts + dur >= " + std::to_string(visible.begin) + " ORDER BY depth, ts");
        for (const auto &cells : rows)
            found.push_back({{std::stoll(cells[0]), std::stoll(cells[1])}, std::stoi(cells[2])});
        return found;
    }
};

std::vector<TimeRange> randomViews(unsigned seed, TimeRange extent) {
    std::mt19937 random(seed + 100);
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<TimeRange> views{extent};
    for (int i = 0; i < 6; ++i) {
        const double width = static_cast<double>(extent.length()) * std::pow(10.0, -0.8 * i - share(random));
        const double begin = share(random) * (static_cast<double>(extent.length()) - width);
        views.push_back(
            {extent.begin + static_cast<Ns>(begin), extent.begin + static_cast<Ns>(begin + width) + 50});
    }
    return views;
}

}  // namespace

class DrawnTruthTest : public QObject {
    Q_OBJECT

private slots:
    void slicesAsWideAsAPixelAreDrawn_data();
    void slicesAsWideAsAPixelAreDrawn();
    void nothingIsDrawnWhereNothingRan_data();
    void nothingIsDrawnWhereNothingRan();
    void busyShareOfAColumnIsTheUnionOfItsIntervals_data();
    void busyShareOfAColumnIsTheUnionOfItsIntervals();
};

namespace {

void addSeeds() {
    QTest::addColumn<unsigned>("seed");
    for (const unsigned seed : {1U, 2U, 3U})
        QTest::addRow("seed %u", seed) << seed;
}

// Calls `check` with the picture of the timeline, its scale and what SQL says shows, for each view of a random
// run.
template <class Check>
void onEachView(unsigned seed, Check check) {
    const RandomRun run(seed);
    TimelinePane pane(run.session.get());
    pane.resize(900, 300);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    for (const TimeRange &view : randomViews(seed, run.session->view().extent())) {
        run.session->view().setVisible(view);
        for (int i = 0; i < 4; ++i) {
            pane.grab();
            run.session->queries().service().waitIdle();
            QTest::qWait(1);
        }
        check(pane, run, pane.grab().toImage());
        if (QTest::currentTestFailed())
            return;
    }
}

bool isGround(const QColor &colour) {
    return colour == draw::lightTheme().background || colour == draw::lightTheme().grid;
}

QColor colourAt(const QImage &image, double x, double y) {
    return image.pixelColor(static_cast<int>(x), static_cast<int>(y));
}

}  // namespace

void DrawnTruthTest::slicesAsWideAsAPixelAreDrawn_data() {
    addSeeds();
}

void DrawnTruthTest::slicesAsWideAsAPixelAreDrawn() {
    QFETCH(unsigned, seed);
    int checked = 0;
    onEachView(seed, [&](TimelinePane &pane, const RandomRun &run, const QImage &image) {
        const draw::TimeScale scale = pane.timeScale();
        for (const auto &[range, depth] : run.shown(scale.visible)) {
            const double left = std::max(scale.left, scale.x(range.begin)),
                         right = std::min(scale.right() - 1, scale.x(range.end));
            if (right - left < 1)
                continue;
            const QRectF row = pane.rowRect(run.track, depth);
            ++checked;
            bool drawn = false;
            for (double x = right - left < 2 * kClear ? std::floor(left) : (left + right) / 2;
                 x <= right && !drawn; ++x)
                drawn = !isGround(colourAt(image, x, row.bottom() - 3));
            QVERIFY2(drawn, qPrintable(QStringLiteral("slice at %1 ns, %2 ns long, row %3, at x = %4…%5")
                                           .arg(range.begin)
                                           .arg(range.length())
                                           .arg(depth)
                                           .arg(left)
                                           .arg(right)));
        }
    });
    QVERIFY2(checked > 300, qPrintable(QString::number(checked)));
}

void DrawnTruthTest::nothingIsDrawnWhereNothingRan_data() {
    addSeeds();
}

void DrawnTruthTest::nothingIsDrawnWhereNothingRan() {
    QFETCH(unsigned, seed);
    int checked = 0;
    onEachView(seed, [&](TimelinePane &pane, const RandomRun &run, const QImage &image) {
        const draw::TimeScale scale = pane.timeScale();
        std::vector<double> drawnTo(kRows, scale.left);
        for (const auto &[range, depth] : run.shown(scale.visible)) {
            double &before = drawnTo[static_cast<std::size_t>(depth)];
            const double begin = scale.x(range.begin);
            if (begin - before > 2 * kClear) {
                const QRectF row = pane.rowRect(run.track, depth);
                const QColor colour = colourAt(image, (before + begin) / 2, row.bottom() - 3);
                ++checked;
                QVERIFY2(isGround(colour), qPrintable(QStringLiteral("x = %1…%2, row %3: %4")
                                                          .arg(before)
                                                          .arg(begin)
                                                          .arg(depth)
                                                          .arg(colour.name())));
            }
            before = std::max(before, scale.x(range.end));
        }
    });
    QVERIFY2(checked > 100, qPrintable(QString::number(checked)));
}

void DrawnTruthTest::busyShareOfAColumnIsTheUnionOfItsIntervals_data() {
    addSeeds();
}

// The height of each column of a strip against a sum nanosecond by nanosecond.
void DrawnTruthTest::busyShareOfAColumnIsTheUnionOfItsIntervals() {
    QFETCH(unsigned, seed);
    constexpr int kColumns = 150, kHeight = 40;
    constexpr Ns kPerColumn = 40;
    std::mt19937 random(seed);
    std::uniform_int_distribution<Ns> when(0, kColumns * kPerColumn), length(1, 90);
    std::vector<bool> busy(kColumns * kPerColumn + 100, false);
    std::vector<TimeRange> intervals;
    for (int i = 0; i < 90; ++i) {
        const Ns begin = when(random), end = begin + length(random);
        intervals.push_back({begin, end});
        for (Ns ns = begin; ns < end; ++ns)
            busy[static_cast<std::size_t>(ns)] = true;
    }
    QImage image(kColumns, kHeight, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintBusy(painter, Coverage(analysis::unionOf(intervals)), {{0, kColumns * kPerColumn}, 0, kColumns},
              QRectF(0, 0, kColumns, kHeight), 1, Qt::black);
    painter.end();
    for (int column = 0; column < kColumns; ++column) {
        int running = 0, inked = 0;
        for (Ns ns = 0; ns < kPerColumn; ++ns)
            running += busy[static_cast<std::size_t>(column * kPerColumn + ns)] ? 1 : 0;
        for (int y = 0; y < kHeight; ++y)
            inked += image.pixelColor(column, y) == QColor(Qt::black) ? 1 : 0;
        const int expected = running * kHeight / static_cast<int>(kPerColumn);
        QVERIFY2(std::abs(inked - expected) <= 1 && (inked > 0 || running == 0),
                 qPrintable(QStringLiteral("column %1: %2 of %3").arg(column).arg(inked).arg(expected)));
    }
}

QTEST_MAIN(DrawnTruthTest)
#include "tst_drawn_truth.moc"
