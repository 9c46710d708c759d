// The events table's reader against SQL over the public views, on random tracks of two sources.
#include "store/edits.h"
#include "store/reader.h"
#include "tests/support/random_track.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;
constexpr Ns kLength = 60'000'000;
constexpr std::int64_t kAll = std::int64_t{1} << 40;

constexpr EventOrder kOrders[] = {{EventKey::Time, false},
                                  {EventKey::Time, true},
                                  {EventKey::Duration, false},
                                  {EventKey::Duration, true}};

std::string conditionOf(const EventFilter &filter) {
    std::string sql = "dur >= " + std::to_string(filter.leastDur) + " AND dur <= " + std::to_string(filter.mostDur);
    if (!filter.name.empty())
        sql += " AND name LIKE '%" + filter.name + "%'";
    if (!filter.category.empty())
        sql += " AND category LIKE '%" + filter.category + "%'";
    if (filter.range)
        sql += " AND " + touching(*filter.range);
    if (!filter.tracks)
        return sql;
    std::string list;
    for (const TrackId track : *filter.tracks)
        list += (list.empty() ? "" : ", ") + std::to_string(track.value);
    return sql + " AND track_id IN (" + list + ")";
}

std::string orderOf(EventOrder order) {
    const std::string direction = order.descending ? " DESC" : "";
    return std::string(" ORDER BY ") + (order.key == EventKey::Time ? "ts" : "dur") + direction + ", id" + direction;
}

}  // namespace

class EventsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup();
    void everyFilterAgreesWithTheViews_data();
    void everyFilterAgreesWithTheViews();
    void firstRowsAreThoseOfTheWhole();
    void rowsAgreeWithTheViews();
    void nothingPassesWhatNoNameHas();
    void ordersAreGivenUp();

private:
    void writeSource(BulkWriter &writer, Ns base, const char *hash, const char *category);
    [[nodiscard]] EventFilter randomFilter();
    [[nodiscard]] Ns below(Ns limit) { return static_cast<Ns>(random_() % static_cast<std::uint64_t>(limit)); }

    TemporaryWorkspace files_;
    std::shared_ptr<Workspace> workspace_;
    std::unique_ptr<Reader> reader_;
    std::vector<StringId> names_;
    std::vector<TrackId> tracks_;
    std::mt19937_64 random_{11};
};

void EventsTest::writeSource(BulkWriter &writer, Ns base, const char *hash, const char *category) {
    const SourceId source = require(writer.addSource(traceSource(base, hash)));
    for (const Ns length : {kLength, kLength / 3, Ns{0}, kLength / 900}) {
        TrackRow row;
        row.source = source;
        const TrackId track = writer.addTrack(row);
        tracks_.push_back(track);
        RandomTrack made(random_, names_, writer.intern(category));
        if (length > 0)
            made.fill(0, length, 0, -1);
        require(writer.writeTrackSlices(track, made.slices(), made.parents()));
    }
    require(writer.finishSource(source));
}

void EventsTest::initTestCase() {
    files_.create([&](BulkWriter &writer) {
        for (int i = 0; i < 30; ++i)
            names_.push_back(writer.intern("Name " + std::to_string(i)));
        writeSource(writer, kBase, "aa", "cpu_op");
        writeSource(writer, kBase + kLength / 2, "bb", "kernel");
    });
    workspace_ = files_.open();
    reader_ = require(workspace_->reader());
    QVERIFY(plainText(files_.path(), "SELECT count(*) FROM slices").toInt() > 20'000);
}

void EventsTest::cleanup() {
    while (!workspace_->edits().undoText().empty())
        require(workspace_->edits().undo());
}

EventFilter EventsTest::randomFilter() {
    EventFilter filter;
    const TimeRange all = require(reader_->extent());
    if (random_() % 2 == 0)
        filter.name = random_() % 2 == 0 ? "name 1" : "7";
    if (random_() % 3 == 0)
        filter.category = "PU_";
    if (random_() % 2 == 0) {
        const Ns begin = all.begin + below(all.length());
        filter.range = TimeRange{begin, begin + 1 + (all.length() >> (random_() % 10))};
    }
    if (random_() % 3 == 0)
        filter.tracks = {tracks_[0], tracks_[random_() % tracks_.size()]};
    if (random_() % 3 == 0)
        filter.leastDur = below(2'000);
    if (random_() % 3 == 0)
        filter.mostDur = filter.leastDur + below(50'000);
    return filter;
}

void EventsTest::everyFilterAgreesWithTheViews_data() {
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<qint64>("drift");
    QTest::addRow("as they came") << qint64{0} << qint64{0};
    QTest::addRow("moved") << qint64{-1'234'567} << qint64{0};
    QTest::addRow("drifting") << qint64{5'000} << qint64{300'000'000};
}

void EventsTest::everyFilterAgreesWithTheViews() {
    QFETCH(qint64, offset);
    QFETCH(qint64, drift);
    Alignment alignment;
    alignment.source = SourceId{2};
    alignment.offset = offset;
    alignment.driftPpb = drift;
    require(workspace_->edits().setAlignment(alignment));
    for (int round = 0; round < 40; ++round) {
        const EventFilter filter = round == 0 ? EventFilter() : randomFilter();
        const EventOrder order = kOrders[random_() % 4];
        std::vector<SliceId> expected;
        const std::string sql = "SELECT id FROM slices WHERE " + conditionOf(filter) + orderOf(order);
        for (const auto &row : plainQuery(files_.path(), sql))
            expected.emplace_back(std::stoll(row.at(0)));
        const auto found = require(reader_->events(filter, order, kAll));
        QVERIFY2(found == expected, sql.c_str());
    }
}

void EventsTest::firstRowsAreThoseOfTheWhole() {
    for (const EventOrder order : kOrders) {
        const auto all = require(reader_->events({}, order, kAll));
        for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{500}, std::size_t{5'000}}) {
            const auto first = require(reader_->events({}, order, static_cast<std::int64_t>(limit)));
            QCOMPARE(first, std::vector<SliceId>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limit)));
        }
    }
}

void EventsTest::rowsAgreeWithTheViews() {
    const auto all = require(reader_->events({}, {EventKey::Duration, true}, kAll));
    std::vector<SliceId> some;
    for (int i = 0; i < 50; ++i)
        some.push_back(all[random_() % all.size()]);
    some.push_back(SliceId{1'000'000'000});
    const auto rows = require(reader_->eventRows(some));
    QCOMPARE(rows.size(), std::size_t{50});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const EventRow &row = rows[i];
        QCOMPARE(row.id, some[i]);
        const auto cells = plainQuery(files_.path(), "SELECT track_id, ts, dur, depth, kind = 'instant', name, "
                                                     "coalesce(category, '') FROM slices WHERE id = " +
                                                         std::to_string(row.id.value))
                               .at(0);
        const std::vector<std::string> found{std::to_string(row.track.value), std::to_string(row.ts),
                                             std::to_string(row.dur), std::to_string(row.depth),
                                             row.kind == SliceKind::Instant ? "1" : "0", row.name, row.category};
        QCOMPARE(found, cells);
        QVERIFY(!row.joules);
    }
}

void EventsTest::nothingPassesWhatNoNameHas() {
    EventFilter filter;
    filter.name = "no such name";
    QVERIFY(require(reader_->events(filter, {}, kAll)).empty());
    filter.name.clear();
    filter.tracks.emplace();
    QVERIFY(require(reader_->events(filter, {}, kAll)).empty());
}

void EventsTest::ordersAreGivenUp() {
    std::stop_source stop;
    stop.request_stop();
    for (const EventOrder order : kOrders) {
        const auto found = reader_->events({}, order, kAll, stop.get_token());
        QVERIFY(!found && isCancelled(found.error()));
    }
}

QTEST_APPLESS_MAIN(EventsTest)
#include "tst_events.moc"
