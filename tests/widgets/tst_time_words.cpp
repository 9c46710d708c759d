#include "report/draw/ruler_painter.h"

#include <ctime>

#include <QImage>
#include <QTest>

using namespace wattproof;
using namespace wattproof::draw;

namespace {

constexpr Ns kSecond = 1'000'000'000;
// 2026-03-02 12:00:00 UTC.
constexpr Ns kNoon = 1'772'452'800 * kSecond;

QString label(const TimeWords &words, Ns time, Ns step) {
    return QString::fromStdString(words.label(time, step, time));
}

}  // namespace

class TimeWordsTest : public QObject {
    Q_OBJECT

private slots:
    // One hour ahead of UTC, wherever the test runs.
    void initTestCase() {
        qputenv("TZ", "XYZ-1");
        tzset();
    }
    void traceTimeIsAsBefore();
    void wallClockReadsAsAClock();
    void localTimeIsAheadOfUtc();
    void relativeToAMarkCountsFromIt();
    void fullTextsAreExactToTheNanosecond();
    void copiedNumbersAreOfTheShownClock();
    void ticksAreRoundOnTheShownClock();
    void labelsNeverTouch();
    void aFewNanosecondsHaveTicksOfTheirOwn();
};

void TimeWordsTest::traceTimeIsAsBefore() {
    const TimeScale scale{{333, 333 + 987'654'321}, 0, 1280};
    const auto plain = timeTicks(scale, 90), worded = timeTicks(scale, TimeWords{}, 90);
    QCOMPARE(worded.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        QCOMPARE(worded[i].time, plain[i].time);
        QCOMPARE(worded[i].label, plain[i].label);
    }
}

void TimeWordsTest::wallClockReadsAsAClock() {
    const TimeWords utc{TimeShown::Utc, kNoon};
    QCOMPARE(label(utc, 0, kSecond), QStringLiteral("12:00:00"));
    QCOMPARE(label(utc, 1'250'000'000, 50'000'000), QStringLiteral("12:00:01.25"));
    QCOMPARE(label(utc, 1'234'567'891, 1), QStringLiteral("12:00:01.234\u2009567\u2009891"));
    QCOMPARE(label(utc, -1, 1), QStringLiteral("11:59:59.999\u2009999\u2009999"));
    QCOMPARE(label(utc, 0, 60 * kSecond), QStringLiteral("12:00"));
    QCOMPARE(label(utc, 12 * 3600 * kSecond, 6 * 3600 * kSecond), QStringLiteral("03-03"));
}

void TimeWordsTest::localTimeIsAheadOfUtc() {
    const TimeWords local{TimeShown::Local, kNoon};
    QCOMPARE(label(local, 0, kSecond), QStringLiteral("13:00:00"));
}

void TimeWordsTest::relativeToAMarkCountsFromIt() {
    const TimeWords mark{TimeShown::Mark, 5 * kSecond};
    QCOMPARE(label(mark, 5 * kSecond, kSecond), QStringLiteral("0\u2009ns"));
    QCOMPARE(QString::fromStdString(mark.label(5 * kSecond - 20'000'000, 10'000'000, 5 * kSecond + 120'000'000)),
             QStringLiteral("−20\u2009ms"));
}

void TimeWordsTest::fullTextsAreExactToTheNanosecond() {
    QCOMPARE(QString::fromStdString(TimeWords{TimeShown::Utc, kNoon}.full(7)),
             QStringLiteral("2026-03-02 12:00:00.000\u2009000\u2009007"));
    QCOMPARE(QString::fromStdString(TimeWords{TimeShown::Mark, 10}.full(17)),
             QStringLiteral("+0.000\u2009000\u2009007\u2009s"));
}

void TimeWordsTest::copiedNumbersAreOfTheShownClock() {
    QCOMPARE((TimeWords{TimeShown::Trace, 0}.exact(17)), Ns{17});
    QCOMPARE((TimeWords{TimeShown::Utc, kNoon}.exact(17)), kNoon + 17);
    QCOMPARE((TimeWords{TimeShown::Mark, 20}.exact(17)), Ns{-3});
}

void TimeWordsTest::ticksAreRoundOnTheShownClock() {
    // The workspace begins at an odd moment: the ticks stand on whole quarter hours of the clock all the same.
    const TimeWords utc{TimeShown::Utc, kNoon + 37 * kSecond + 11};
    const TimeScale hours{{0, 2 * 3600 * kSecond}, 0, 1000};
    const auto ticks = timeTicks(hours, utc, 90);
    QVERIFY(ticks.size() >= 4);
    for (const TimeTick &tick : ticks) {
        QCOMPARE((tick.time + utc.zero) % (15 * 60 * kSecond), Ns{0});
        QVERIFY(tick.time >= 0 && tick.time <= hours.visible.end);
    }
    const TimeWords mark{TimeShown::Mark, 333};
    for (const TimeTick &tick : timeTicks({{0, 1000}, 0, 1000}, mark, 90))
        QCOMPARE((tick.time - 333) % 100, Ns{0});
}

void TimeWordsTest::labelsNeverTouch() {
    // Ten nanoseconds, twelve seconds into the trace: the labels are longer than the ticks are apart.
    QImage image(1000, 26, QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    const TimeScale scale{{12'345'678'900, 12'345'678'910}, 0, 1000};
    paintRuler(painter, scale, QRectF(0, 0, 1000, 26), lightTheme());
    painter.end();
    // Somewhere between two written labels stands an empty column of at least five pixels: count such gaps.
    int gaps = 0, empty = 0;
    for (int x = 0; x < 1000; ++x) {
        bool ink = false;
        for (int y = 2; y < 16; ++y)
            ink = ink || qGray(image.pixel(x, y)) < 200;
        gaps += ink && empty >= 5 ? 1 : 0;
        empty = ink ? 0 : empty + 1;
    }
    QVERIFY(gaps >= 2);
}

void TimeWordsTest::aFewNanosecondsHaveTicksOfTheirOwn() {
    const auto ticks = timeTicks({{12'345'678'900, 12'345'678'905}, 0, 1000}, TimeWords{}, 90);
    QCOMPARE(ticks.size(), 6U);
    for (std::size_t i = 1; i < ticks.size(); ++i)
        QVERIFY(ticks[i].label != ticks[i - 1].label);
}

QTEST_MAIN(TimeWordsTest)
#include "tst_time_words.moc"
