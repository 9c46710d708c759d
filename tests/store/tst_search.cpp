// Finding slices: what the typed text means, and that the hits are those of SQL over the public views, whatever the texts.
#include "store/edits.h"
#include "store/reader.h"
#include "tests/support/temporary_workspace.h"

#include <algorithm>
#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;

using Strings = std::vector<std::string>;

std::string escaped(const std::string &text) {
    std::string out;
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\')
            out += '\\';
        out += c == '\'' ? "''" : std::string(1, c);
    }
    return out;
}

std::string like(const std::string &column, const std::string &pattern) {
    return column + " LIKE '" + pattern + "' ESCAPE '\\'";
}

std::string contains(const std::string &column, const Strings &parts) {
    std::string sql;
    for (const std::string &part : parts)
        sql += " AND " + like(column, "%" + escaped(part) + "%");
    return sql;
}

// The same question over the public views.
std::string sqlFor(const SearchTerms &terms) {
    std::string sql = "SELECT s.id, s.ts, s.track_id FROM slices s JOIN tracks t ON t.id = s.track_id WHERE TRUE" +
                      contains("s.name", terms.name) + contains("s.category", terms.category) +
                      contains("t.name", terms.track);
    for (const std::string &pid : terms.pid)
        sql += " AND t.process_id IN (SELECT id FROM processes WHERE CAST(pid AS TEXT) = '" + escaped(pid) + "')";
    for (const std::string &tid : terms.tid)
        sql += " AND t.thread_id IN (SELECT id FROM threads WHERE CAST(tid AS TEXT) = '" + escaped(tid) + "')";
    for (const auto &argument : terms.arguments) {
        std::string pattern = escaped(argument.value);
        std::replace(pattern.begin(), pattern.end(), '*', '%');
        sql += " AND EXISTS (SELECT 1 FROM args a WHERE a.slice_id = s.id AND " +
               like("a.key", escaped(argument.key)) + " AND " + like("a.value", pattern) + ")";
    }
    return sql + " ORDER BY s.ts, s.id";
}

std::vector<SearchHit> walk(const SearchHits &hits) {
    std::vector<SearchHit> list;
    for (auto hit = hits.first(); hit; hit = hits.after(hit->ts, hit->slice))
        list.push_back(*hit);
    return list;
}

}  // namespace

class SearchTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void textBecomesTerms_data();
    void textBecomesTerms();
    void hitsAreThoseOfTheViews_data();
    void hitsAreThoseOfTheViews();
    void placesAreFound();
    void columnsCountEveryHit();
    void progressTellsWhatIsThere();
    void aStopEndsIt();
    void damagedBlocksAreReported();

private:
    [[nodiscard]] std::string randomText(std::size_t mostParts);
    [[nodiscard]] std::string randomQuery();
    [[nodiscard]] std::string randomArguments();
    void writeTrack(BulkWriter &writer, TrackRow row, int slices);
    void compare(const std::string &text);

    TemporaryWorkspace files_;
    std::shared_ptr<Workspace> workspace_;
    std::unique_ptr<Reader> reader_;
    std::vector<StringId> names_, categories_;
    std::int64_t shapes_[2] = {0, 0};
    std::mt19937_64 random_{20261203};
};

std::string SearchTest::randomText(std::size_t mostParts) {
    static const Strings parts{"aten", "::", "MM", "mm", "%", "_", "\\", "'", "Ünï", "gemm", "<", ">", "7", "e", "[x]", "="};
    std::string text;
    for (std::size_t i = 0; i < 1 + random_() % mostParts; ++i)
        text += parts[random_() % parts.size()];
    return text;
}

std::string SearchTest::randomArguments() {
    static const Strings values{"1", "17", "true", "null", "2.5", "1e3", R"("bf16")", R"("BF16 x")", R"("\u0062f16")",
                                R"({"deep":[1,"bf16"]})", R"("100%")"};
    return "[" + values[random_() % values.size()] + "," + values[random_() % values.size()] + "]";
}

void SearchTest::writeTrack(BulkWriter &writer, TrackRow row, int count) {
    const TrackId track = writer.addTrack(row);
    std::vector<SliceRow> slices;
    Ns at = 0;
    for (int i = 0; i < count; ++i) {
        at += static_cast<Ns>(random_() % 3) * 500;
        SliceRow slice = sliceAt(at, 100'000'000, names_[random_() % names_.size()], i % 7);
        slice.category = random_() % 3 == 0 ? StringId{} : categories_[random_() % categories_.size()];
        if (random_() % 3 != 0)
            slice.args = writer.addArgs(shapes_[random_() % 2], randomArguments());
        slices.push_back(slice);
    }
    require(writer.writeTrackSlices(track, slices, std::vector<std::int32_t>(slices.size(), -1)));
}

void SearchTest::initTestCase() {
    files_.create([this](BulkWriter &writer) {
        const SourceId source = require(writer.addSource(traceSource(kBase)));
        for (int i = 0; i < 60; ++i)
            names_.push_back(writer.intern(randomText(5)));
        for (const char *category : {"cpu_op", "kernel", "Python"})
            categories_.push_back(writer.intern(category));
        shapes_[0] = writer.internArgShape(R"(["dtype","n"])");
        shapes_[1] = writer.internArgShape(R"(["Dtype","shape.x"])");
        for (int process = 0; process < 3; ++process) {
            ProcessRow owner;
            owner.source = source;
            owner.pid = process == 2 ? "rank 2" : std::to_string(100 + process);
            ThreadRow thread;
            thread.source = source;
            thread.process = writer.addProcess(owner);
            thread.tid = std::to_string(7 + process / 2);
            TrackRow row;
            row.source = source;
            row.name = "main " + std::to_string(process);
            row.process = thread.process;
            row.thread = writer.addThread(thread);
            writeTrack(writer, row, process == 0 ? 9'000 : 500);
            row.name = "stream 7";
            row.kind = TrackKind::GpuStream;
            row.thread = {};
            writeTrack(writer, row, 40 * process);
        }
        require(writer.finishSource(source));
    });
    workspace_ = files_.open();
    reader_ = require(workspace_->reader());
}

void SearchTest::textBecomesTerms_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("terms");  // name;category;track;pid;tid;arguments, each joined by '|'
    QTest::addRow("words") << "  aten::mm\tgemm " << "aten::mm|gemm;;;;;";
    QTest::addRow("quotes keep blanks") << R"("a b" c" d)" << "a b|c d;;;;;";
    QTest::addRow("fields") << "cat:cpu Track:main PID:12 tid:x mm" << "mm;cpu;main;12;x;";
    QTest::addRow("arguments") << "Input Dims[0]=3 dtype=bf*" << "Input;;;;;Dims[0]=3|dtype=bf*";
    QTest::addRow("quoted words are no fields") << R"("cat:x" "a=b" cat:"x y")" << "cat:x|a=b;x y;;;;";
    QTest::addRow("unfinished ones wait") << "cat: dtype= pid: \"" << ";;;;;";
    QTest::addRow("a leading equals sign is text") << "=" << "=;;;;;";
}

void SearchTest::textBecomesTerms() {
    QFETCH(QString, text);
    const SearchTerms terms = searchTerms(text.toStdString());
    QStringList all;
    for (const Strings *list : {&terms.name, &terms.category, &terms.track, &terms.pid, &terms.tid}) {
        QStringList parts;
        for (const std::string &part : *list)
            parts << QString::fromStdString(part);
        all << parts.join(QLatin1Char('|'));
    }
    QStringList arguments;
    for (const auto &argument : terms.arguments)
        arguments << QString::fromStdString(argument.key + "=" + argument.value);
    QTEST((all << arguments.join(QLatin1Char('|'))).join(QLatin1Char(';')), "terms");
}

void SearchTest::compare(const std::string &text) {
    const SearchTerms terms = searchTerms(text);
    const auto rows = plainQuery(files_.path(), sqlFor(terms));
    const SearchHits hits = require(reader_->search(terms));
    QVERIFY2(hits.count() == static_cast<std::int64_t>(rows.size()),
             qPrintable(QString::fromStdString(text) + QStringLiteral(": %1 for %2").arg(hits.count()).arg(rows.size())));
    const std::vector<SearchHit> list = walk(hits);
    QCOMPARE(list.size(), rows.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        QCOMPARE(list[i].slice.value, std::stoll(rows[i][0]));
        QCOMPARE(list[i].ts, std::stoll(rows[i][1]));
        QCOMPARE(list[i].track.value, std::stoll(rows[i][2]));
    }
}

std::string SearchTest::randomQuery() {
    static const Strings further{"cat:OP", "cat:n", "track:MAIN", "track:stream", "pid:101", "pid:\"rank 2\"", "tid:7",
                                 "dtype=bf16", "dtype=*16*", "n=1", "n=*", "n=1000.0", "dtype.deep[1]=bf16", "shape.x=100%",
                                 "nothing=1"};
    std::string text;
    for (std::size_t i = random_() % 3; i > 0; --i)
        text += "\"" + randomText(2) + "\" ";
    if (text.empty() || random_() % 2 == 0)
        text += further[random_() % further.size()];
    if (random_() % 4 == 0)
        text += " " + further[random_() % further.size()];
    return text;
}

void SearchTest::hitsAreThoseOfTheViews_data() {
    QTest::addColumn<qint64>("drift");
    QTest::addRow("as it came") << qint64{0};
    QTest::addRow("drifting") << qint64{300'000'000};
}

void SearchTest::hitsAreThoseOfTheViews() {
    QFETCH(qint64, drift);
    Alignment alignment;
    alignment.source = SourceId{1};
    alignment.offset = -12'345;
    alignment.driftPpb = drift;
    require(workspace_->edits().setAlignment(alignment));
    for (int round = 0; round < 60; ++round) {
        compare(randomQuery());
        if (QTest::currentTestFailed())
            return;
    }
    require(workspace_->edits().undo());
}

void SearchTest::placesAreFound() {
    const SearchHits hits = require(reader_->search(searchTerms("mm")));
    const std::vector<SearchHit> list = walk(hits);
    QVERIFY(list.size() > 1000);
    QCOMPARE(*hits.first(), list.front());
    QCOMPARE(*hits.last(), list.back());
    QVERIFY(!hits.after(list.back().ts, list.back().slice));
    QVERIFY(!hits.before(list.front().ts, list.front().slice));
    for (std::size_t i = 1; i < list.size(); i += 37) {
        QCOMPARE(*hits.before(list[i].ts, list[i].slice), list[i - 1]);
        QCOMPARE(hits.countBefore(list[i].ts, list[i].slice), static_cast<std::int64_t>(i));
        QVERIFY(hits.has(list[i].track, list[i].row, list[i].slice));
        QVERIFY(!hits.has(list[i].track, list[i].row + 1, list[i].slice));
        QVERIFY(hits.any(list[i].track, list[i].row, {list[i].ts, list[i].ts + 1}));
    }
    QVERIFY(!hits.any(list[0].track, list[0].row, {list.back().ts + 1, list.back().ts + 10}));
    QVERIFY(!hits.any(TrackId{1000}));
    QVERIFY(hits.any(list[0].track));
}

void SearchTest::columnsCountEveryHit() {
    const SearchHits hits = require(reader_->search(searchTerms("mm")));
    const TimeRange all{hits.first()->ts, hits.last()->ts + 1};
    std::int64_t sum = 0;
    const std::vector<std::uint32_t> columns = hits.perColumn(all, 97);
    QCOMPARE(columns.size(), std::size_t{97});
    for (const std::uint32_t column : columns)
        sum += column;
    QCOMPARE(sum, hits.count());
    QVERIFY(columns.front() > 0 && columns.back() > 0);
}

void SearchTest::progressTellsWhatIsThere() {
    std::vector<std::int64_t> told;
    const SearchHits hits = require(reader_->search(searchTerms("mm"), [&](const SearchHits &soFar) {
        told.push_back(soFar.count());
        const std::vector<SearchHit> list = walk(soFar);
        QCOMPARE(static_cast<std::int64_t>(list.size()), soFar.count());
        QVERIFY(soFar.has(list.front().track, list.front().row, list.front().slice));
    }));
    QVERIFY(told.size() > 1);
    QVERIFY(std::is_sorted(told.begin(), told.end()));
    QVERIFY(told.front() > 0 && told.front() < hits.count());
}

void SearchTest::aStopEndsIt() {
    std::stop_source stop;
    const auto hits =
        reader_->search(searchTerms("mm"), [&](const SearchHits &) { stop.request_stop(); }, stop.get_token());
    QVERIFY(!hits);
    QVERIFY(isCancelled(hits.error()));
    std::string many;
    for (int i = 0; i < 100; ++i)
        many += "a" + std::to_string(i) + " ";
    QVERIFY(!reader_->search(searchTerms(many)));
}

void SearchTest::damagedBlocksAreReported() {
    const std::string path = files_.path("damaged.wattproof");
    require(workspace_->saveAs(path));
    changeFile(path, "DELETE FROM slice_block");
    auto workspace = files_.open("damaged.wattproof");
    auto reader = require(workspace->reader());
    for (const char *text : {"mm", "cat:cpu", "track:main", "dtype=bf16"}) {
        const auto hits = reader->search(searchTerms(text));
        QVERIFY2(!hits, text);
        QVERIFY(QString::fromStdString(hits.error().sentence()).contains(QStringLiteral("damaged")));
    }
}

QTEST_APPLESS_MAIN(SearchTest)
#include "tst_search.moc"
