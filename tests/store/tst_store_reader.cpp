// Named readers, the user's SQL, and the query service.
#include "store/public_views.h"
#include "store/query_service.h"
#include "store/reader.h"
#include "tests/support/temporary_workspace.h"

#include <atomic>
#include <mutex>
#include <thread>

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;
constexpr const char *kEndless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

void fill(BulkWriter &writer) {
    const SourceId source = require(writer.addSource(traceSource(kBase)));
    DeviceRow gpu;
    gpu.source = source;
    gpu.name = "GPU 0";
    const DeviceId device = writer.addDevice(gpu);
    TrackRow row;
    row.source = source;
    row.name = "main";
    const TrackId host = writer.addTrack(row);
    row.kind = TrackKind::GpuStream;
    const TrackId stream = writer.addTrack(row);
    const StringId runtime = writer.intern("cuda_runtime");
    std::vector<SliceRow> calls{sliceAt(0, 1000, writer.intern("step#1")),
                                sliceAt(10, 20, writer.intern("launch"), 1),
                                sliceAt(1000, 500, writer.intern("step#2"))};
    calls[1].category = runtime;
    const auto shape = writer.internArgShape(R"(["tokens","note"])");
    calls[0].args = writer.addArgs(shape, R"([128,"x"])");
    calls[2].args = writer.addArgs(shape, R"(["64",{"deep":[1,2.5]}])");
    require(writer.writeTrackSlices(host, calls, std::vector<std::int32_t>{-1, 0, -1}));
    std::vector<SliceRow> kernels{sliceAt(100, 300, writer.intern("gemm")),
                                  sliceAt(500, 50, writer.intern("copy"))};
    require(writer.writeTrackSlices(stream, kernels, std::vector<std::int32_t>{-1, -1}));
    writer.classifyName(kernels[0].name, "gemm", "bf16");
    GpuOpRow gemm;
    gemm.slice = kernels[0].id;
    gemm.device = device;
    gemm.launch = calls[1].id;
    gemm.grid = {{1, 2, 3}};
    GpuOpRow copy = gemm;
    copy.slice = kernels[1].id;
    copy.activity = GpuActivity::Memcpy;
    copy.copyKind = CopyKind::DeviceToHost;
    copy.bytes = 4096;
    require(writer.writeGpuOps(std::vector{gemm, copy}));
    require(writer.writeFlows(std::vector{FlowRow{{}, calls[1].id, kernels[0].id, {}, {}}}));
    require(writer.finishSource(source));
}

}  // namespace

class ReaderTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void detailsOfACall();
    void detailsOfAKernel();
    void kernelTableJoinsClasses();
    void hostCallsByCategory();
    void searchAndGlob();
    void numericArguments();
    void unknownIdsAreErrors();
    void queryReturnsTypedCells();
    void queryBindsParameters();
    void queryKeepsToThePublicViews();
    void queryStopsAtTheLimit();
    void queryStopsAtTheLimitOfBytes();
    void refusedStatementsSayWhatIsNotAllowed_data();
    void refusedStatementsSayWhatIsNotAllowed();
    void faultsHaveTheirPlace_data();
    void faultsHaveTheirPlace();
    void publicViewsHaveTheirColumns();
    void queryIsInterrupted();
    void latestOfAKeyWins();
    void requestsWithoutKeyAllRun();
    void cancelledRequestStops();
    void closingTheServiceStopsWhatRuns();

private:
    TemporaryWorkspace files_;
    std::shared_ptr<Workspace> workspace_;
    std::unique_ptr<Reader> reader_;
};

void ReaderTest::initTestCase() {
    files_.create(fill);
    workspace_ = files_.open();
    reader_ = require(workspace_->reader());
}

void ReaderTest::detailsOfACall() {
    const SliceDetails details = require(reader_->slice(SliceId{2}));
    QCOMPARE(details.name, std::string("launch"));
    QCOMPARE(details.category, std::string("cuda_runtime"));
    QCOMPARE(details.trackName, std::string("main"));
    QCOMPARE(details.ancestors, std::vector<SliceId>{SliceId{1}});
    QCOMPARE(details.launched, (std::vector<SliceId>{SliceId{4}, SliceId{5}}));
    QCOMPARE(details.launchedCount, std::int64_t{2});
    QCOMPARE(details.flowsOut, std::vector<SliceId>{SliceId{4}});
    QVERIFY(details.flowsIn.empty());
    QVERIFY(!details.gpuOp.has_value());
    QVERIFY(!details.joules.has_value());
}

void ReaderTest::detailsOfAKernel() {
    const SliceDetails details = require(reader_->slice(SliceId{4}));
    QVERIFY(details.gpuOp.has_value());
    QCOMPARE(details.gpuOp->grid.value()[2], std::int64_t{3});
    QVERIFY(!details.gpuOp->block.has_value());
    QCOMPARE(details.gpuOp->launch, SliceId{2});
    QCOMPARE(details.opClass, std::string("gemm"));
    QCOMPARE(details.precision, std::string("bf16"));
    QCOMPARE(details.flowsIn, std::vector<SliceId>{SliceId{2}});
}

void ReaderTest::kernelTableJoinsClasses() {
    const KernelTable table = require(reader_->kernels());
    QCOMPARE(table.kernels.size(), std::size_t{2});
    const auto classOf = [&](std::size_t i) {
        return table.classes.at(static_cast<std::size_t>(table.kernels[i].classIndex)).opClass;
    };
    QCOMPARE(classOf(0), std::string("gemm"));
    QCOMPARE(classOf(1), std::string());
    QCOMPARE(table.kernels[0].range, (TimeRange{100, 400}));
    QCOMPARE(table.kernels[0].bytes, std::int64_t{-1});
    QCOMPARE(table.kernels[1].bytes, std::int64_t{4096});
    QCOMPARE(table.kernels[1].copyKind, CopyKind::DeviceToHost);
}

void ReaderTest::hostCallsByCategory() {
    const TimeRange all{0, 10'000};
    QCOMPARE(require(reader_->hostCalls({"cuda_runtime"}, all)).size(), std::size_t{1});
    QCOMPARE(require(reader_->hostCalls({}, all)).size(), std::size_t{3});
    QCOMPARE(require(reader_->hostCalls({"none"}, all)).size(), std::size_t{0});
    QCOMPARE(require(reader_->hostCalls({}, {15, 16})).size(), std::size_t{2});
}

void ReaderTest::searchAndGlob() {
    const SearchHits steps = require(reader_->search(searchTerms("STEP")));
    QCOMPARE(steps.count(), std::int64_t{2});
    QCOMPARE(steps.first()->slice, SliceId{1});
    QCOMPARE(steps.last()->slice, SliceId{3});
    QCOMPARE(require(reader_->search(searchTerms("%"))).count(), std::int64_t{0});
    QCOMPARE(require(reader_->search(searchTerms(""))).count(), std::int64_t{0});
    QCOMPARE(require(reader_->slicesByNameGlob("step#*")).size(), std::size_t{2});
    QCOMPARE(require(reader_->slicesByNameGlob("step#?")).at(1).ts, Ns{1000});
    QCOMPARE(require(reader_->slicesByNameGlob("[sx]tep*")).size(), std::size_t{0});
}

void ReaderTest::numericArguments() {
    const std::vector<SliceId> ids{SliceId{1}, SliceId{2}, SliceId{3}};
    const auto tokens = require(reader_->numericArgument(ids, "tokens"));
    QCOMPARE(tokens.size(), std::size_t{2});
    QCOMPARE(tokens[0].second, 128.0);
    QCOMPARE(tokens[1].second, 64.0);
    QCOMPARE(require(reader_->numericArgument(ids, "note.deep[1]")).at(0).second, 2.5);
    QVERIFY(require(reader_->numericArgument(ids, "none")).empty());
}

void ReaderTest::unknownIdsAreErrors() {
    QVERIFY(!reader_->slice(SliceId{99}));
    QVERIFY(!reader_->lanes(TrackId{99}, {0, 1}, 1));
    QVERIFY(!reader_->samples(CounterId{99}, {0, 1}));
    QCOMPARE(require(reader_->text(StringId{99})), std::string());
}

void ReaderTest::queryReturnsTypedCells() {
    const QueryResult result = require(reader_->query("SELECT 1 AS a, 2.5, 'x', NULL", 10));
    QCOMPARE(result.columns.at(0), std::string("a"));
    QCOMPARE(result.rows.at(0), (std::vector<std::string>{"1", "2.5", "x", ""}));
    QCOMPARE(result.types.at(0), (std::vector<int>{1, 2, 3, 5}));
    QVERIFY(!result.truncated);
}

void ReaderTest::queryBindsParameters() {
    const char *sql =
        "SELECT count(*) FROM slices WHERE ts >= :begin AND ts < :end AND typeof(:begin) = 'integer'";
    const QueryResult result = require(reader_->query(sql, 10, {{"begin", 0}, {":end", 500}, {"unused", 1.5}}));
    QCOMPARE(result.rows.at(0).at(0), std::string("3"));
}

void ReaderTest::queryKeepsToThePublicViews() {
    for (const char *sql :
         {"SELECT * FROM slice", "SELECT * FROM sqlite_schema", "ATTACH 'x' AS y", "PRAGMA user_version = 5",
          "DELETE FROM annotation", "CREATE TEMP TABLE t(x)", "SELECT load_extension('x')", "SELECT 1; SELECT 2",
          "", "SELECT * FROM pragma_table_info('slice')", "SELECT nonsense", "BEGIN"}) {
        const auto result = reader_->query(sql, 10);
        QVERIFY2(!result, sql);
    }
    for (const char *sql :
         {"SELECT count(*) FROM slices s JOIN args a ON a.slice_id = s.id",
          "WITH x AS (SELECT dur FROM slices) SELECT max(dur), (SELECT count(*) FROM gpu_kernels) FROM x",
          "SELECT value FROM json_each('[1]')", "SELECT 1;  -- end"}) {
        const auto result = reader_->query(sql, 10);
        QVERIFY2(result.has_value(), result ? sql : result.error().sentence().c_str());
    }
}

void ReaderTest::queryStopsAtTheLimit() {
    const QueryResult result = require(reader_->query("SELECT * FROM slices", 2));
    QCOMPARE(result.rows.size(), std::size_t{2});
    QVERIFY(result.truncated);
    QVERIFY(!require(reader_->query("SELECT * FROM slices", 5)).truncated);
}

void ReaderTest::queryStopsAtTheLimitOfBytes() {
    const char *kRows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
                        "SELECT i, 'a text that does not fit into a string itself' FROM n";
    const QueryResult few = require(reader_->query(kRows, {1'000'000, 100'000}));
    QVERIFY(few.truncated && few.full);
    QVERIFY2(few.rows.size() > 300 && few.rows.size() < 1000, qPrintable(QString::number(few.rows.size())));
    const QueryResult all = require(reader_->query(kRows, {1'000'000, 100'000'000}));
    QVERIFY(!all.truncated && !all.full);
    QCOMPARE(all.rows.size(), std::size_t{10'000});
    const QueryResult byRows = require(reader_->query(kRows, {10, 100'000'000}));
    QVERIFY(byRows.truncated && !byRows.full);
}

void ReaderTest::refusedStatementsSayWhatIsNotAllowed_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("what");
    QTest::newRow("attach") << "ATTACH 'x' AS y" << "attaching other files";
    QTest::newRow("pragma that writes") << "PRAGMA user_version = 5" << "PRAGMA";
    QTest::newRow("pragma that reads") << "PRAGMA table_info(slices)" << "PRAGMA";
    QTest::newRow("load_extension") << "SELECT load_extension('x')" << "loading extensions";
    QTest::newRow("insert") << "INSERT INTO annotations(text) VALUES('x')" << "changing rows";
    QTest::newRow("update") << "UPDATE annotations SET text = 'x'" << "changing rows";
    QTest::newRow("delete") << "DELETE FROM annotations" << "changing rows";
    QTest::newRow("temporary table") << "CREATE TEMP TABLE t(x)" << "changing rows|making or changing tables";
    QTest::newRow("drop") << "DROP TABLE annotations" << "changing rows|making or changing tables";
    QTest::newRow("transaction") << "BEGIN" << "transactions";
    QTest::newRow("savepoint") << "SAVEPOINT a" << "transactions";
    QTest::newRow("catalogue") << "SELECT * FROM sqlite_schema" << "SQLite's own tables";
}

void ReaderTest::refusedStatementsSayWhatIsNotAllowed() {
    QFETCH(QString, sql);
    QFETCH(QString, what);
    const auto result = reader_->query(sql.toStdString(), 10);
    QVERIFY(!result);
    const QString sentence = QString::fromStdString(result.error().sentence());
    const QStringList words = what.split('|');
    QVERIFY2(std::any_of(words.begin(), words.end(), [&](const QString &word) { return sentence.contains(word); }),
             qPrintable(sentence));
    QVERIFY2(sentence.contains("is not allowed here") && sentence.contains("only read"), qPrintable(sentence));
    // The next question is not hindered.
    QCOMPARE(require(reader_->query("SELECT count(*) FROM annotations", 1)).rows.at(0).at(0), std::string("0"));
}

void ReaderTest::faultsHaveTheirPlace_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<int>("position");
    QTest::addColumn<QString>("place");
    QTest::newRow("syntax") << "SELECT name FORM slices" << 17 << "line 1, column 18";
    QTest::newRow("column") << "SELECT nane\nFROM slices" << 7 << "line 1, column 8";
    QTest::newRow("second line") << "SELECT 'ä', *\nFROM slices WHERE nane = 1" << 33 << "line 2, column 19";
    QTest::newRow("no place") << "SELECT * FROM slice" << -1 << "";
    QTest::newRow("second statement") << "SELECT 1; SELECT nonsense" << -1 << "";
}

void ReaderTest::faultsHaveTheirPlace() {
    QFETCH(QString, sql);
    QFETCH(int, position);
    QFETCH(QString, place);
    const auto result = reader_->query(sql.toStdString(), 10);
    QVERIFY(!result);
    QCOMPARE(reader_->faultPosition(), std::int64_t{position});
    QCOMPARE(QString::fromStdString(result.error().where), place);
    QVERIFY(reader_->query("SELECT 1", 1).has_value());
    QCOMPARE(reader_->faultPosition(), std::int64_t{-1});
}

void ReaderTest::publicViewsHaveTheirColumns() {
    const std::vector<PublicView> views = require(publicViews());
    QCOMPARE(views.size(), std::size_t{21});
    for (const PublicView &view : views) {
        std::string columns;
        for (const std::string &column : view.columns)
            columns += (columns.empty() ? "" : ", ") + column;
        const auto result = reader_->query("SELECT " + columns + " FROM " + view.name + " LIMIT 0", 1);
        QVERIFY2(result.has_value(), view.name.c_str());
        QCOMPARE(result->columns, view.columns);
    }
}

void ReaderTest::queryIsInterrupted() {
    std::stop_source stop;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
    });
    const auto result = reader_->query(kEndless, 10, {}, stop.get_token());
    QVERIFY(!result);
    QVERIFY(isCancelled(result.error()));
}

void ReaderTest::latestOfAKeyWins() {
    std::mutex mutex;
    std::vector<int> finished;
    std::atomic<bool> started = false, interrupted = false;
    QueryService service(workspace_, 1);
    service.submit("view", [&](Reader &reader, const std::stop_token &stop) {
        started = true;
        interrupted = !reader.query(kEndless, 1, {}, stop);
    });
    while (!started)
        std::this_thread::yield();
    for (int i = 1; i <= 20; ++i) {
        service.submit("view", [&, i](Reader &reader, const std::stop_token &stop) {
            if (reader.query("SELECT count(*) FROM slices", 1, {}, stop)) {
                const std::lock_guard lock(mutex);
                finished.push_back(i);
            }
        });
    }
    service.waitIdle();
    QVERIFY(interrupted);
    QVERIFY(!finished.empty());
    QCOMPARE(finished.back(), 20);
}

void ReaderTest::requestsWithoutKeyAllRun() {
    std::atomic<int> count = 0;
    QueryService service(workspace_, 2);
    for (int i = 0; i < 50; ++i)
        service.submit("", [&](Reader &, const std::stop_token &) { ++count; });
    service.waitIdle();
    QCOMPARE(count.load(), 50);
}

void ReaderTest::cancelledRequestStops() {
    std::atomic<bool> started = false, interrupted = false;
    QueryService service(workspace_, 1);
    service.submit("a", [&](Reader &reader, const std::stop_token &stop) {
        started = true;
        interrupted = !reader.query(kEndless, 1, {}, stop);
    });
    while (!started)
        std::this_thread::yield();
    service.cancel("other");
    service.cancel("a");
    service.waitIdle();
    QVERIFY(interrupted);
}

void ReaderTest::closingTheServiceStopsWhatRuns() {
    std::atomic<bool> started = false, interrupted = false, never = false;
    {
        QueryService service(workspace_, 1);
        service.submit("a", [&](Reader &reader, const std::stop_token &stop) {
            started = true;
            interrupted = !reader.query(kEndless, 1, {}, stop);
        });
        service.submit("b", [&](Reader &, const std::stop_token &) { never = true; });
        while (!started)
            std::this_thread::yield();
    }
    QVERIFY(interrupted);
    QVERIFY(!never);
}

QTEST_APPLESS_MAIN(ReaderTest)
#include "tst_store_reader.moc"
