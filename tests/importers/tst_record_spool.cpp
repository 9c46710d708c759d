// Records that wait in memory and, past what memory is given, in a file: what goes in comes out, wherever it lies.
#include "importers/profile/record_spool.h"

#include <QTest>

#include <random>

using namespace wattproof;
using namespace wattproof::importers;

namespace {

std::string recordOf(int number, std::size_t length) {
    std::string text = std::to_string(number) + ":";
    text.resize(std::max(text.size(), length), static_cast<char>('a' + number % 26));
    return text;
}

}  // namespace

class RecordSpoolTest : public QObject {
    Q_OBJECT

private slots:
    void recordsComeBack_data();
    void recordsComeBack();
    void partsAreReadFromTheirPlace();
};

void RecordSpoolTest::recordsComeBack_data() {
    QTest::addColumn<int>("records");
    QTest::addColumn<int>("longest");
    QTest::newRow("none") << 0 << 10;
    QTest::newRow("in memory") << 1000 << 100;
    QTest::newRow("some on disk") << 20'000 << 1000;
    QTest::newRow("many times what memory holds") << 60'000 << 1000;
    QTest::newRow("larger than what is read at once") << 60 << 600'000;
}

void RecordSpoolTest::recordsComeBack() {
    QFETCH(int, records);
    QFETCH(int, longest);
    std::mt19937 random(7);
    std::vector<std::size_t> lengths;
    RecordSpool spool;
    for (int i = 0; i < records; ++i) {
        lengths.push_back(random() % static_cast<unsigned>(longest));
        QVERIFY(spool.append(recordOf(i, lengths.back()), 3 * static_cast<std::uint64_t>(i)));
    }
    RecordSpool::Reader reader(spool, 0, spool.size());
    std::string_view record;
    std::uint64_t offset = 0;
    int found = 0;
    for (; reader.next(record, offset); ++found) {
        QVERIFY(found < records);
        QCOMPARE(offset, 3 * static_cast<std::uint64_t>(found));
        QVERIFY(record == recordOf(found, lengths[static_cast<std::size_t>(found)]));
    }
    QVERIFY(reader.status());
    QCOMPARE(found, records);
}

void RecordSpoolTest::partsAreReadFromTheirPlace() {
    RecordSpool spool;
    std::vector<std::uint64_t> begins;
    constexpr int kRecords = 40'000;
    for (int i = 0; i < kRecords; ++i) {
        begins.push_back(spool.size());
        QVERIFY(spool.append(recordOf(i, 500), 0));
    }
    for (const int first : {0, 1, 9'999, 20'000, kRecords - 10}) {
        RecordSpool::Reader reader(spool, begins[static_cast<std::size_t>(first)],
                                   begins[static_cast<std::size_t>(first + 5)]);
        std::string_view record;
        std::uint64_t offset = 0;
        for (int i = first; i < first + 5; ++i) {
            QVERIFY(reader.next(record, offset));
            QVERIFY(record == recordOf(i, 500));
        }
        QVERIFY(!reader.next(record, offset));
        QVERIFY(reader.status());
    }
}

QTEST_APPLESS_MAIN(RecordSpoolTest)
#include "tst_record_spool.moc"
