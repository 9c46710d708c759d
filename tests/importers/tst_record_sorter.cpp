// Records come out in the order of a stable sort, whatever their keys are and however many fit into memory.
#include "importers/trace/record_sorter.h"

#include <QTest>

#include <random>

using namespace wattproof;
using importers::RecordSorter;

namespace {

struct Record {
    std::uint64_t key = 0;
    Ns ts = 0;
    std::uint64_t offset = 0;
    std::uint64_t pushed = 0;
};

bool earlier(const Record &a, const Record &b) {
    return std::tie(a.key, a.ts, a.offset) < std::tie(b.key, b.ts, b.offset);
}

}  // namespace

class RecordSorterTest : public QObject {
    Q_OBJECT

private slots:
    void sortsAsAStableSort_data() {
        QTest::addColumn<int>("records");
        QTest::addColumn<quint64>("keys");  // 0: hashes
        QTest::addColumn<bool>("inOrder");
        QTest::addColumn<int>("budget");  // bytes
        for (const int records : {0, 1, 2, 1000, 60'000})
            for (const quint64 keys : {quint64{1}, quint64{37}, quint64{5000}, quint64{0}})
                for (const bool inOrder : {true, false})
                    for (const int budget : {1, 1 << 30})
                        QTest::addRow("%d records of %d keys%s%s", records, static_cast<int>(keys),
                                      inOrder ? ", by time" : "", budget == 1 ? ", spilled" : "")
                            << records << keys << inOrder << budget;
    }

    void sortsAsAStableSort() {
        QFETCH(int, records);
        QFETCH(quint64, keys);
        QFETCH(bool, inOrder);
        QFETCH(int, budget);
        std::mt19937_64 random(static_cast<std::uint64_t>(records) + keys);
        RecordSorter<Record> sorter(static_cast<std::size_t>(budget));
        std::vector<Record> expected;
        for (int i = 0; i < records; ++i) {
            const Ns ts = inOrder ? i / 3 : static_cast<Ns>(random() % 1000) - 500;
            // Equal places happen where several records are made of one event.
            expected.push_back({keys == 0 ? random() : 70 + random() % keys, ts, random() % 4, 0});
            expected.back().pushed = static_cast<std::uint64_t>(i);
            sorter.push(expected.back());
        }
        std::stable_sort(expected.begin(), expected.end(), earlier);
        QVERIFY(sorter.seal().has_value());
        QCOMPARE(sorter.size(), static_cast<std::uint64_t>(records));
        std::size_t at = 0;
        for (const Record *record = sorter.peek(); record; record = sorter.peek(), ++at) {
            QVERIFY(at < expected.size());
            QCOMPARE(record->pushed, expected[at].pushed);
            sorter.pop();
        }
        QCOMPARE(at, expected.size());
        QVERIFY(sorter.status().has_value());
    }

    void endsWhenItIsStopped_data() {
        QTest::addColumn<bool>("dense");
        QTest::addColumn<int>("before");  // records read before the stop; -1: it comes before the sorting
        for (const bool dense : {true, false})
            for (const int before : {-1, 10})
                QTest::addRow("%s keys, after %d", dense ? "dense" : "sparse", before) << dense << before;
    }

    void endsWhenItIsStopped() {
        QFETCH(bool, dense);
        QFETCH(int, before);
        constexpr int kRecords = 300'000;
        std::mt19937_64 random(7);
        RecordSorter<Record> sorter(std::size_t{1} << 30U);
        for (int i = 0; i < kRecords; ++i)
            sorter.push({dense ? 1 : random(), static_cast<Ns>(random() % 1'000'000), 0, 0});
        std::stop_source stop;
        if (before < 0)
            stop.request_stop();
        const Status sealed = sorter.seal(stop.get_token());
        QCOMPARE(sealed.has_value(), before >= 0);
        int read = 0;
        for (; sorter.peek(); sorter.pop(), ++read)
            if (read == before)
                stop.request_stop();
        QVERIFY2(read < kRecords / 10, qPrintable(QString::number(read)));
        QVERIFY(!sorter.status() && isCancelled(sorter.status().error()));
    }
};

QTEST_GUILESS_MAIN(RecordSorterTest)
#include "tst_record_sorter.moc"
