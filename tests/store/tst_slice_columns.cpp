// Packed columns of slices give back what was put in, whatever its size, and refuse what was not packed by us.
#include "store/slice_flags.h"
#include "store/tiles/slice_columns.h"

#include <limits>
#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;

namespace {

std::span<const std::byte> bytesOf(const std::string &text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::vector<std::int64_t> column(const std::string &packed, const SliceColumnsHead &head, SliceColumn which) {
    std::vector<std::int64_t> values(head.slices());
    head.unpack(which, bytesOf(packed).subspan(head.place(which).offset), values);
    return values;
}

SliceRow randomSlice(std::mt19937_64 &random, std::int64_t id, int bits) {
    const auto number = [&] { return static_cast<std::int64_t>(random() >> (64 - bits)); };
    SliceRow slice;
    slice.id = SliceId{id};
    slice.ts = number() - (std::int64_t{1} << (bits - 1));
    slice.dur = number();
    slice.depth = static_cast<std::int32_t>(number() % 5);
    slice.row = slice.depth + static_cast<std::int32_t>(number() % 1000);
    slice.parent = random() % 3 == 0 ? SliceId{} : SliceId{id - 1 - number() % id};
    slice.name = StringId{number()};
    slice.category = StringId{number() % 7};
    slice.state = static_cast<SliceState>(number() % 3);
    slice.kind = static_cast<SliceKind>(number() % 2);
    return slice;
}

}  // namespace

class SliceColumnsTest : public QObject {
    Q_OBJECT

private slots:
    void roundTrip_data();
    void roundTrip();
    void extremesSurvive();
    void equalValuesTakeNoRoom();
    void damageIsRefused();
};

void SliceColumnsTest::roundTrip_data() {
    QTest::addColumn<int>("slices");
    QTest::addColumn<int>("bits");
    for (const int slices : {1, 2, 1000, static_cast<int>(kSlicesPerBlock)})
        for (const int bits : {7, 8, 15, 17, 31, 40, 62})
            QTest::addRow("%d slices of %d bits", slices, bits) << slices << bits;
}

void SliceColumnsTest::roundTrip() {
    QFETCH(int, slices);
    QFETCH(int, bits);
    std::mt19937_64 random(static_cast<std::uint64_t>(slices * 100 + bits));
    std::vector<SliceRow> rows;
    for (int i = 0; i < slices; ++i)
        rows.push_back(randomSlice(random, 5000 + i, bits));
    const std::string packed = packSliceColumns(rows);
    const auto first = bytesOf(packed).first(std::min(packed.size(), SliceColumnsHead::kMostBytes));
    const auto head = SliceColumnsHead::read(first, packed.size());
    QVERIFY(head.has_value());
    QCOMPARE(head->slices(), rows.size());
    const auto holds = [&](SliceColumn which, auto value) {
        const auto values = column(packed, *head, which);
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (values[i] != static_cast<std::int64_t>(value(rows[i])))
                return false;
        return true;
    };
    QVERIFY(holds(SliceColumn::Name, [](const SliceRow &s) { return s.name.value; }));
    QVERIFY(holds(SliceColumn::Dur, [](const SliceRow &s) { return s.dur; }));
    QVERIFY(holds(SliceColumn::Ts, [](const SliceRow &s) { return s.ts; }));
    QVERIFY(holds(SliceColumn::Row, [](const SliceRow &s) { return s.row; }));
    QVERIFY(holds(SliceColumn::Parent,
                  [](const SliceRow &s) { return s.parent.valid() ? s.id.value - s.parent.value : 0; }));
    QVERIFY(holds(SliceColumn::Flags, [](const SliceRow &s) { return flagsOf(s); }));
    QVERIFY(holds(SliceColumn::Category, [](const SliceRow &s) { return s.category.value; }));
    QVERIFY(holds(SliceColumn::RowAboveDepth, [](const SliceRow &s) { return s.row - s.depth; }));
}

void SliceColumnsTest::extremesSurvive() {
    std::vector<SliceRow> rows(2);
    rows[0].id = SliceId{1};
    rows[1].id = SliceId{2};
    rows[0].ts = std::numeric_limits<Ns>::min();
    rows[1].ts = std::numeric_limits<Ns>::max();
    const std::string packed = packSliceColumns(rows);
    const auto head = SliceColumnsHead::read(bytesOf(packed), packed.size());
    QVERIFY(head.has_value());
    QCOMPARE(column(packed, *head, SliceColumn::Ts),
             (std::vector<std::int64_t>{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()}));
}

void SliceColumnsTest::equalValuesTakeNoRoom() {
    std::vector<SliceRow> rows(static_cast<std::size_t>(kSlicesPerBlock));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].ts = static_cast<Ns>(i) * 100;
    QVERIFY(packSliceColumns(rows).size() < rows.size() * 5);
}

void SliceColumnsTest::damageIsRefused() {
    std::mt19937_64 random(1);
    std::vector<SliceRow> rows;
    for (int i = 0; i < 100; ++i)
        rows.push_back(randomSlice(random, 5000 + i, 20));
    const std::string packed = packSliceColumns(rows);
    QVERIFY(!SliceColumnsHead::read({}, 0));
    QVERIFY(!SliceColumnsHead::read(bytesOf(packed), packed.size() - 1));
    QVERIFY(!SliceColumnsHead::read(bytesOf(packed).first(5), 5));
    std::string many = packed;
    many[0] = '\xff';
    many[1] = '\x7f';
    QVERIFY(!SliceColumnsHead::read(bytesOf(many), many.size()));
    std::string wide = packed;
    wide[1] = 3;
    QVERIFY(!SliceColumnsHead::read(bytesOf(wide), wide.size()));
}

QTEST_APPLESS_MAIN(SliceColumnsTest)
#include "tst_slice_columns.moc"
