// Readers of many slices against SQL over the public views, on random traces of several tracks.
#include "store/edits.h"
#include "store/reader.h"
#include "tests/support/random_track.h"
#include "tests/support/temporary_workspace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;
constexpr Ns kLength = 40'000'000;
constexpr std::size_t kNames = 30;
constexpr int kMostDepth = RandomTrack::kMostDepth;

// A row of the view `slices`.
struct ViewRow {
    std::int64_t id = 0, track = 0, parent = 0;
    Ns ts = 0, dur = 0;
    std::string name;
};

}  // namespace

class BulkReadersTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void statisticsAgreeWithTheViews_data();
    void statisticsAgreeWithTheViews();
    void globsAgreeWithTheViews();
    void hostCallsAgreeWithTheViews();
    void kernelsAgreeWithTheViews();
    void neighboursAgreeWithTheViews();
    void slicesAgreeWithTheViews();
    void lanesCountEverySlice();
    void damagedBlocksAreReported();

private:
    [[nodiscard]] std::vector<std::int64_t> ids(const std::string &sql) const;
    [[nodiscard]] std::vector<ViewRow> rowsIn(TimeRange range, const std::vector<TrackId> &tracks) const;
    [[nodiscard]] TimeRange randomRange();
    void writeTrack(BulkWriter &writer, SourceId source, TrackKind kind, Ns length);
    void compare(const std::vector<NameStats> &stats, const std::vector<ViewRow> &rows, TimeRange area) const;

    TemporaryWorkspace files_;
    std::shared_ptr<Workspace> workspace_;
    std::unique_ptr<Reader> reader_;
    std::vector<StringId> names_;
    std::vector<TrackId> tracks_;
    std::mt19937_64 random_{7};
};

void BulkReadersTest::writeTrack(BulkWriter &writer, SourceId source, TrackKind kind, Ns length) {
    TrackRow row;
    row.source = source;
    row.kind = kind;
    const TrackId track = writer.addTrack(row);
    tracks_.push_back(track);
    RandomTrack made(random_, names_, writer.intern(kind == TrackKind::Thread ? "cpu_op" : "kernel"));
    if (length > 0)
        made.fill(0, length, kind == TrackKind::Thread ? 0 : kMostDepth - 1, -1);
    require(writer.writeTrackSlices(track, made.slices(), made.parents()));
    if (kind != TrackKind::GpuStream)
        return;
    std::vector<GpuOpRow> ops;
    for (const SliceRow &slice : made.slices()) {
        if (slice.kind == SliceKind::Instant)
            continue;
        GpuOpRow op;
        op.slice = slice.id;
        op.activity = static_cast<GpuActivity>(random_() % 3);
        op.correlation = slice.id.value * 2;
        ops.push_back(op);
    }
    require(writer.writeGpuOps(ops));
}

void BulkReadersTest::initTestCase() {
    files_.create([&](BulkWriter &writer) {
        const SourceId source = require(writer.addSource(traceSource(kBase)));
        for (std::size_t i = 0; i < kNames; ++i)
            names_.push_back(writer.intern("Name " + std::to_string(i)));
        writeTrack(writer, source, TrackKind::Thread, kLength);
        writeTrack(writer, source, TrackKind::Thread, kLength / 20);
        writeTrack(writer, source, TrackKind::Thread, 0);
        writeTrack(writer, source, TrackKind::GpuStream, kLength);
        writeTrack(writer, source, TrackKind::GpuStream, 5'000);
        require(writer.finishSource(source));
    });
    workspace_ = files_.open();
    reader_ = require(workspace_->reader());
    const auto counts = plainText(files_.path(), "SELECT count(*) FROM slices GROUP BY track_id ORDER BY 1 DESC");
    QVERIFY2(counts.section(QLatin1Char('\n'), 0, 0).toInt() > 20'000, qPrintable(counts));
}

std::vector<std::int64_t> BulkReadersTest::ids(const std::string &sql) const {
    std::vector<std::int64_t> list;
    for (const auto &row : plainQuery(files_.path(), sql))
        list.push_back(std::stoll(row.at(0)));
    return list;
}

std::vector<ViewRow> BulkReadersTest::rowsIn(TimeRange range, const std::vector<TrackId> &tracks) const {
    std::string wanted;
    for (const TrackId track : tracks)
        wanted += (wanted.empty() ? " AND track_id IN (" : ", ") + std::to_string(track.value);
    const auto cells = plainQuery(files_.path(),
                                  "SELECT id, track_id, coalesce(parent_id, 0), ts, dur, name FROM "
                                  "slices WHERE " +
                                      touching(range) + wanted + (wanted.empty() ? "" : ")") + " ORDER BY id");
    std::vector<ViewRow> rows;
    for (const auto &row : cells)
        rows.push_back({std::stoll(row[0]), std::stoll(row[1]), std::stoll(row[2]), std::stoll(row[3]),
                        std::stoll(row[4]), row[5]});
    return rows;
}

TimeRange BulkReadersTest::randomRange() {
    const TimeRange all = require(reader_->extent());
    const Ns begin = all.begin + static_cast<Ns>(random_() % static_cast<std::uint64_t>(all.length()));
    return {begin, begin + 1 + (all.length() >> (random_() % 12))};
}

void BulkReadersTest::compare(const std::vector<NameStats> &stats, const std::vector<ViewRow> &rows,
                              TimeRange area) const {
    std::map<std::string, std::vector<Ns>> durations;
    std::map<std::string, Ns> self, total;
    std::map<std::pair<std::int64_t, std::string>, Ns> coveredTo;
    std::map<std::int64_t, std::string> nameOf;
    for (const ViewRow &row : rows) {
        const Ns begin = std::max(row.ts, area.begin), end = std::min(row.ts + row.dur, area.end);
        nameOf[row.id] = row.name;
        durations[row.name].push_back(row.dur);
        self[row.name] += end - begin;
        if (row.parent != 0)
            self[nameOf.at(row.parent)] -= end - begin;
        Ns &covered = coveredTo.try_emplace({row.track, row.name}, begin).first->second;
        total[row.name] += std::max<Ns>(0, end - std::max(begin, covered));
        covered = std::max(covered, end);
    }
    QCOMPARE(stats.size(), durations.size());
    for (const NameStats &s : stats) {
        std::vector<Ns> &sorted = durations.at(s.text);
        std::sort(sorted.begin(), sorted.end());
        const auto rank = [&](double p) {
            return sorted[static_cast<std::size_t>(std::ceil(p * static_cast<double>(sorted.size()))) - 1];
        };
        double sum = 0;
        for (const Ns duration : sorted)
            sum += static_cast<double>(duration);
        QCOMPARE(s.count, static_cast<std::int64_t>(sorted.size()));
        QCOMPARE(s.total, total.at(s.text));
        QCOMPARE(s.self, self.at(s.text));
        QCOMPARE(s.min, sorted.front());
        QCOMPARE(s.max, sorted.back());
        QCOMPARE(s.mean, sum / static_cast<double>(sorted.size()));
        QCOMPARE(s.p50, rank(0.50));
        QCOMPARE(s.p95, rank(0.95));
        QCOMPARE(s.p99, rank(0.99));
    }
}

void BulkReadersTest::statisticsAgreeWithTheViews_data() {
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<qint64>("drift");
    QTest::addRow("as it came") << qint64{0} << qint64{0};
    QTest::addRow("moved") << qint64{-123'456} << qint64{0};
    QTest::addRow("drifting") << qint64{5'000} << qint64{300'000'000};
}

void BulkReadersTest::statisticsAgreeWithTheViews() {
    QFETCH(qint64, offset);
    QFETCH(qint64, drift);
    Alignment alignment;
    alignment.source = SourceId{1};
    alignment.offset = offset;
    alignment.driftPpb = drift;
    require(workspace_->edits().setAlignment(alignment));
    const TimeRange all = require(reader_->extent());
    compare(require(reader_->statsByName(all, {})), rowsIn(all, {}), all);
    for (int round = 0; round < 12; ++round) {
        const TimeRange range = randomRange();
        const std::vector<TrackId> tracks{tracks_[0], tracks_[round % 2 == 0 ? 1 : 3]};
        compare(require(reader_->statsByName(range, tracks)), rowsIn(range, tracks), range);
    }
    require(workspace_->edits().undo());
}

void BulkReadersTest::globsAgreeWithTheViews() {
    std::vector<std::int64_t> found;
    for (const SliceRow &slice : require(reader_->slicesByNameGlob("Name 2?")))
        found.push_back(slice.id.value);
    QCOMPARE(found, ids("SELECT id FROM slices WHERE name GLOB 'Name 2?' ORDER BY ts, id"));
}

void BulkReadersTest::hostCallsAgreeWithTheViews() {
    for (int round = 0; round < 5; ++round) {
        const TimeRange range = randomRange();
        const std::string host =
            "SELECT s.id FROM slices s JOIN tracks t ON t.id = s.track_id WHERE t.kind = "
            "'thread' AND s.kind = 'slice' AND " +
            touching(range);
        for (const auto &[categories, condition] :
             {std::pair<std::vector<std::string>, std::string>{{}, ""},
              std::pair<std::vector<std::string>, std::string>{{"cpu_op"}, " AND s.category = 'cpu_op'"}}) {
            std::vector<std::int64_t> found;
            for (const HostCall &call : require(reader_->hostCalls(categories, range)))
                found.push_back(call.slice.value);
            QCOMPARE(found, ids(host + condition + " ORDER BY s.ts, s.id"));
        }
    }
    for (const HostCall &call : require(reader_->hostCalls({}, {1'000, 90'000}))) {
        const auto row =
            plainQuery(files_.path(), "SELECT ts, dur, depth, name, track_id FROM slices WHERE id = " +
                                          std::to_string(call.slice.value))
                .at(0);
        QCOMPARE(call.range.begin, std::stoll(row[0]));
        QCOMPARE(call.range.length(), std::stoll(row[1]));
        QCOMPARE(call.depth, std::stoi(row[2]));
        QCOMPARE(require(reader_->text(call.name)), row[3]);
        QCOMPARE(call.track.value, std::stoll(row[4]));
    }
}

void BulkReadersTest::kernelsAgreeWithTheViews() {
    const KernelTable table = require(reader_->kernels());
    const auto rows = plainQuery(files_.path(),
                                 "SELECT s.id, s.ts, s.dur, s.name, s.track_id, k.correlation FROM gpu_kernels k "
                                 "JOIN slices s ON s.id = k.slice_id ORDER BY s.ts, s.id");
    QCOMPARE(table.kernels.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const KernelInterval &kernel = table.kernels[i];
        QCOMPARE(kernel.slice.value, std::stoll(rows[i][0]));
        QCOMPARE(kernel.range.begin, std::stoll(rows[i][1]));
        QCOMPARE(kernel.range.length(), std::stoll(rows[i][2]));
        QCOMPARE(kernel.name, names_[std::stoul(rows[i][3].substr(5))]);
        QCOMPARE(kernel.track.value, std::stoll(rows[i][4]));
        QCOMPARE(kernel.correlation, std::stoll(rows[i][5]));
    }
}

void BulkReadersTest::neighboursAgreeWithTheViews() {
    const auto all = ids("SELECT id FROM slices");
    for (int round = 0; round < 100; ++round) {
        const std::int64_t id = all[random_() % all.size()];
        for (const int direction : {-1, 1}) {
            const std::string order = direction < 0 ? "s.id < o.id" : "s.id > o.id";
            const auto expected =
                ids("SELECT " + std::string(direction < 0 ? "max" : "min") +
                    "(s.id) FROM slices o JOIN slices s ON s.track_id = o.track_id AND s.depth = o.depth AND " +
                    order + " WHERE o.id = " + std::to_string(id) + " HAVING count(*) > 0");
            const auto found = require(reader_->nextSlice(SliceId{id}, direction));
            QCOMPARE(found ? std::vector<std::int64_t>{found->id.value} : std::vector<std::int64_t>(), expected);
        }
    }
}

void BulkReadersTest::slicesAgreeWithTheViews() {
    for (int round = 0; round < 10; ++round) {
        const TimeRange range = randomRange();
        std::vector<std::int64_t> found;
        for (const SliceRow &slice : require(reader_->slices(tracks_[0], range, 1'000'000)))
            found.push_back(slice.id.value);
        QCOMPARE(found, ids("SELECT id FROM slices WHERE track_id = " + std::to_string(tracks_[0].value) +
                            " AND " + touching(range) + " ORDER BY id"));
    }
}

void BulkReadersTest::lanesCountEverySlice() {
    const TimeRange all = require(reader_->extent());
    for (const TrackId track : tracks_) {
        const auto expected =
            ids("SELECT count(*) FROM slices WHERE track_id = " + std::to_string(track.value)).at(0);
        for (const Ns pixels : {Ns{1}, Ns{500}, Ns{10'000}, all.length()}) {
            std::int64_t counted = 0;
            for (const LaneSpan &span :
                 require(reader_->lanes(track, {all.begin, all.end + 1}, all.length() / pixels)))
                counted += span.count;
            QCOMPARE(counted, expected);
        }
    }
}

void BulkReadersTest::damagedBlocksAreReported() {
    const std::string path = files_.path("damaged.wattproof");
    require(workspace_->saveAs(path));
    changeFile(path, "UPDATE slice_block SET data = substr(data, 1, length(data) - 3)");
    auto workspace = files_.open("damaged.wattproof");
    auto reader = require(workspace->reader());
    QVERIFY(!reader->statsByName(require(reader->extent()), {}));
    QVERIFY(!reader->search(searchTerms("name")));
    workspace.reset();
    reader.reset();
    changeFile(path, "DELETE FROM slice_block");
    workspace = files_.open("damaged.wattproof");
    reader = require(workspace->reader());
    const auto stats = reader->statsByName(require(reader->extent()), {});
    QVERIFY(!stats);
    QVERIFY(QString::fromStdString(stats.error().sentence()).contains(QStringLiteral("damaged")));
}

QTEST_APPLESS_MAIN(BulkReadersTest)
#include "tst_bulk_readers.moc"
