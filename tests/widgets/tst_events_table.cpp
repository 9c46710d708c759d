// The events table: filters and orders by hand, links with the timeline, and a table of which only some rows are here.
#include "tests/support/random_track.h"
#include "tests/widgets/pane_bench.h"
#include "widgets/events/events_pane.h"
#include "widgets/tables/long_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

constexpr qint64 kSlices = 508;          // of the small run
constexpr Ns kShift = 20 * kMs;         // its power log begins before it

// A session on more slices than come at first.
struct ManySlices {
    explicit ManySlices(std::size_t least) {
        files.create([&](store::BulkWriter &writer) {
            const SourceId source = require(writer.addSource(traceSource(1'700'000'000'000'000'000)));
            TrackRow row;
            row.source = source;
            row.name = "main";
            const TrackId track = writer.addTrack(row);
            std::mt19937_64 random(3);
            const std::vector<StringId> names{writer.intern("Name 0"), writer.intern("Name 1")};
            RandomTrack made(random, names, writer.intern("cpu_op"));
            for (Ns begin = 0; made.slices().size() < least; begin += 10'000'000)
                made.fill(begin, begin + 10'000'000, 0, -1);
            require(writer.writeTrackSlices(track, made.slices(), made.parents()));
            require(writer.finishSource(source));
        });
        session = std::make_unique<Session>(files.open());
        session->view().setExtent(require(require(session->workspace().reader())->extent()));
    }

    TemporaryWorkspace files;
    std::unique_ptr<Session> session;
};

}  // namespace

class EventsTableTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void allSlicesByTime();
    void headsSortByTimeAndDuration();
    void fieldsFilter_data();
    void fieldsFilter();
    void limitsThatAreNotUnderstoodLimitNothing();
    void areaStaysWhileItsRowsAreGoneThrough();
    void visibleRangeFilters();
    void rowsSelectTheirSlices();
    void theTimelinesSliceIsMarked();
    void nothingFoundIsSaid();
    void rowsAreCopiedExactly();
    void editsLeaveTheTableWhereItIs();
    void hiddenTablesAskForNothing();
    void manyRowsComeAsTheyAreSeen();

private:
    void type(const char *field, const QString &text) {
        pane_->findChild<QLineEdit *>(field)->setText(text);
        QTest::qWait(200);
        settle();
    }
    void settle() { bench_.settle(*pane_); }
    void press(int key) { QTest::keyClick(pane_->table()->table(), Qt::Key(key)); }
    [[nodiscard]] QString cell(int row, int column) const { return pane_->model().index(row, column).data().toString(); }
    TimeView &axis() { return bench_.session->view(); }

    PaneBench bench_;
    std::unique_ptr<EventsPane> pane_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

void EventsTableTest::init() {
    axis().clearSelection();
    axis().fitAll();
    tester_.reset();
    pane_ = std::make_unique<EventsPane>(bench_.session.get());
    tester_ = std::make_unique<QAbstractItemModelTester>(const_cast<EventsModel *>(&pane_->model()),
                                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
    bench_.show(*pane_, 1200, 300);
    QVERIFY(pane_->isComplete());
}

void EventsTableTest::allSlicesByTime() {
    QCOMPARE(pane_->model().total(), kSlices);
    QCOMPARE(pane_->statusText(), QStringLiteral("508 events"));
    QCOMPARE(cell(0, EventsModel::Name), QStringLiteral("train_step"));
    QCOMPARE(cell(0, EventsModel::Duration), QStringLiteral("100\u2009ms"));
    QCOMPARE(cell(3, EventsModel::Track), QStringLiteral("stream 7"));
    QCOMPARE(cell(3, EventsModel::Group), QStringLiteral("GPU 0"));
    QCOMPARE(cell(3, EventsModel::Joules), QStringLiteral("–"));
    QVERIFY(!pane_->model().index(3, EventsModel::Joules).data(Qt::ToolTipRole).toString().isEmpty());
}

void EventsTableTest::headsSortByTimeAndDuration() {
    emit pane_->table()->sortRequested(EventsModel::Duration, Qt::DescendingOrder);
    settle();
    QCOMPARE(cell(0, EventsModel::Name), QStringLiteral("train_step"));
    QVERIFY(cell(1, EventsModel::Name).contains("gemm"));
    emit pane_->table()->sortRequested(EventsModel::Duration, Qt::AscendingOrder);
    settle();
    QCOMPARE(cell(0, EventsModel::Name), QStringLiteral("mark"));
    QCOMPARE(cell(0, EventsModel::Duration), QStringLiteral("instant"));
    emit pane_->table()->sortRequested(EventsModel::Time, Qt::DescendingOrder);
    settle();
    QCOMPARE(cell(0, EventsModel::Name), QStringLiteral("elementwise_kernel"));
}

void EventsTableTest::fieldsFilter_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("rows");
    QTest::newRow("name") << "events-name" << "ELEMENT" << qint64{500};
    QTest::newRow("track") << "events-track" << "stream 20" << qint64{1};
    QTest::newRow("its device") << "events-track" << "gpu 0" << qint64{503};
    QTest::newRow("no such track") << "events-track" << "nowhere" << qint64{0};
    QTest::newRow("at least") << "events-least" << "5 ms" << qint64{6};
    QTest::newRow("at most") << "events-most" << "1us" << qint64{501};
    QTest::newRow("category") << "events-category" << "no such category" << qint64{0};
}

void EventsTableTest::fieldsFilter() {
    QFETCH(QString, field);
    QFETCH(QString, text);
    QFETCH(qint64, rows);
    type(field.toUtf8().constData(), text);
    QCOMPARE(pane_->model().total(), rows);
    pane_->showNamed({});
    settle();
    QCOMPARE(pane_->model().total(), kSlices);
}

void EventsTableTest::limitsThatAreNotUnderstoodLimitNothing() {
    type("events-least", "soon");
    QCOMPARE(pane_->model().total(), kSlices);
    QVERIFY(pane_->findChild<QLineEdit *>("events-least")->font().strikeOut());
    type("events-least", "1 s");
    QVERIFY(!pane_->findChild<QLineEdit *>("events-least")->font().strikeOut());
    QCOMPARE(pane_->model().total(), 0);
}

void EventsTableTest::areaStaysWhileItsRowsAreGoneThrough() {
    pane_->findChild<QComboBox *>("events-scope")->setCurrentIndex(1);
    settle();
    QCOMPARE(pane_->model().total(), kSlices);
    Selection area;
    area.range = {kShift + 40 * kMs, kShift + 66 * kMs};
    area.tracks = {bench_.run.stream7, bench_.run.stream20};
    axis().select(area);
    settle();
    QCOMPARE(pane_->model().total(), 3);
    press(Qt::Key_Down);
    settle();
    QVERIFY(axis().selection().isSlice());
    QCOMPARE(pane_->model().total(), 3);
    type("events-track", "stream 20");
    QCOMPARE(pane_->model().total(), 1);
    type("events-track", "");
    axis().clearSelection();
    settle();
    QCOMPARE(pane_->model().total(), kSlices);
}

void EventsTableTest::visibleRangeFilters() {
    pane_->filterBar()->setScope(EventScope::Visible);
    axis().setVisible({kShift + 61 * kMs, kShift + 69 * kMs});
    QTest::qWait(350);
    settle();
    QCOMPARE(pane_->model().total(), 2);
    axis().fitAll();
    QTest::qWait(350);
    settle();
    QCOMPARE(pane_->model().total(), kSlices);
}

void EventsTableTest::rowsSelectTheirSlices() {
    axis().setVisible({80 * kMs, 90 * kMs});
    type("events-name", "gemm");
    press(Qt::Key_Down);
    settle();
    QCOMPARE(axis().selection().slice, bench_.run.gemm);
    QCOMPARE(axis().selection().tracks, std::vector<TrackId>{bench_.run.stream7});
    QVERIFY(axis().visible().overlaps({kShift + 20 * kMs, kShift + 50 * kMs}));
    QCOMPARE(axis().visible().length(), 10 * kMs);  // moved, not zoomed
    press(Qt::Key_Return);
    QVERIFY(axis().visible().begin < kShift + 20 * kMs && axis().visible().end > kShift + 50 * kMs);
}

void EventsTableTest::theTimelinesSliceIsMarked() {
    Selection selection;
    selection.slice = bench_.run.gemm;
    selection.range = {20 * kMs, 50 * kMs};
    axis().select(selection);
    settle();
    QCOMPARE(pane_->model().ids()->at(static_cast<std::size_t>(pane_->table()->currentRow())), bench_.run.gemm);
    emit pane_->table()->sortRequested(EventsModel::Duration, Qt::DescendingOrder);
    settle();
    QCOMPARE(pane_->table()->currentRow(), 1);
    type("events-name", "elementwise");
    QCOMPARE(pane_->table()->currentRow(), -1);
}

void EventsTableTest::nothingFoundIsSaid() {
    type("events-name", "no such name");
    QCOMPARE(pane_->statusText(), QStringLiteral("0 events"));
    QVERIFY(!pane_->table()->isVisible());
    type("events-name", "gemm");
    QCOMPARE(pane_->statusText(), QStringLiteral("1 event"));
    QVERIFY(pane_->table()->isVisible());
}

void EventsTableTest::rowsAreCopiedExactly() {
    type("events-name", "gemm");
    QTest::keyClick(pane_->table()->table(), Qt::Key_C, Qt::ControlModifier);
    settle();
    const QStringList lines = QGuiApplication::clipboard()->text().trimmed().split('\n');
    QCOMPARE(lines.value(0), QStringLiteral("ts\tdur\tname\tcategory\ttrack\tof\tdepth\tjoules"));
    QVERIFY2(lines.value(1).startsWith("40000000\t30000000\tvoid cutlass"), qPrintable(lines.value(1)));
}

void EventsTableTest::editsLeaveTheTableWhereItIs() {
    pane_->table()->setCurrentRow(400);
    const qint64 first = pane_->model().first();
    QVERIFY(first > 0);
    bench_.session->edits().apply([](store::Edits &edits) -> Status {
        store::Annotation note;
        note.text = "note";
        auto added = edits.addAnnotation(note);
        if (!added)
            return passOn(added);
        return {};
    });
    settle();
    QVERIFY(pane_->isComplete());
    QCOMPARE(pane_->model().first(), first);
    bench_.session->edits().undo();
    settle();
}

void EventsTableTest::hiddenTablesAskForNothing() {
    pane_->hide();
    pane_->filterBar()->setName("gemm");
    QTest::qWait(200);
    settle();
    QCOMPARE(pane_->model().total(), kSlices);
    pane_->show();
    settle();
    QCOMPARE(pane_->model().total(), 1);
}

void EventsTableTest::manyRowsComeAsTheyAreSeen() {
    const ManySlices many(30'000);
    EventsPane pane(many.session.get());
    const QAbstractItemModelTester tester(const_cast<EventsModel *>(&pane.model()),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    pane.resize(1000, 300);
    pane.show();
    QTRY_COMPARE_WITH_TIMEOUT(pane.isComplete(), true, 20'000);
    QVERIFY(pane.model().total() >= 30'000);
    const auto hasRows = [&] { return pane.model().index(0, EventsModel::Time).data().isValid(); };
    QTRY_VERIFY(hasRows());
    for (int i = 0; i < 100; ++i) {
        pane.table()->setCurrentRow((i * 7919) % pane.model().total());
        if (i % 9 == 0)
            QTRY_VERIFY(hasRows());
    }
    QTRY_VERIFY(hasRows());
    // What a row says is what its slice is.
    const QModelIndex row = pane.model().indexOf(pane.table()->currentRow(), EventsModel::Time);
    const auto ts = plainText(many.files.path(), "SELECT ts FROM slices WHERE id = " +
                                                     std::to_string(pane.model().ids()->at(static_cast<std::size_t>(
                                                         pane.table()->currentRow())).value));
    QVERIFY(row.data(Qt::ToolTipRole).toString().startsWith(ts + " ns"));
}

QTEST_MAIN(EventsTableTest)
#include "tst_events_table.moc"
