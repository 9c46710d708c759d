#include "importers/power/log_clock.h"
#include "importers/time/stamp.h"
#include "importers/time/zone.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

namespace {

constexpr Ns kSecond = 1'000'000'000;

std::optional<Ns> stamp(const char *text, StampUnit unit, StampBasis basis) {
    const auto parsed = parseStamp(text, unit);
    return parsed && parsed->basis == basis ? std::optional(parsed->ns) : std::nullopt;
}

Ns local(int year, int month, int day, int hour, int minute = 0) {
    return (daysFromCivil(year, month, day) * 86400 + hour * 3600 + minute * 60) * kSecond;
}

std::optional<TimeZone> zoneOrNothing(const char *name) {
    Expected<TimeZone> zone = TimeZone::named(name);
    return zone ? std::optional(std::move(*zone)) : std::nullopt;
}

}  // namespace

class LogTimeTest : public QObject {
    Q_OBJECT

private slots:
    void datesOfAllShapes();
    void datesThatAColumnExplains();
    void offsetsAreUsedOnce();
    void numbersTellTheirUnitBySize();
    void nonsenseIsNoTime();
    void calendarAgreesWithItself();
    void fixedZones();
    void namedZonesFollowSummerTime();
    void rulesOfThePosixStrings();
    void brokenZoneFilesAreRefused();
    void repeatedHourGoesOn();
    void midnightIsPassed();
    void oneBasisForAFile();
    void stepsBackKeepTheRhythm();
    void smallDisorderIsNoStep();
    void stepsBeyondTheClockAreRefused();
};

void LogTimeTest::datesOfAllShapes() {
    const std::optional<Ns> expected = local(2025, 7, 22, 5, 10) + kSecond / 2;
    for (const char *text : {"2025/07/22 05:10:00.500", "2025-07-22T05:10:00.5", "2025-07-22 05:10:00,500",
                             "22.07.2025 05:10:00.5", "22-07-2025 5:10:00.5", "  2025/07/22 05:10:00.500000000 "})
        QVERIFY2(stamp(text, StampUnit::DateTime, StampBasis::Wall) == expected, text);
    QCOMPARE(stamp("2025-07-22", StampUnit::Auto, StampBasis::Wall), std::optional<Ns>(local(2025, 7, 22, 0)));
    QCOMPARE(stamp("05:10:00.5", StampUnit::Auto, StampBasis::TimeOfDay),
             std::optional<Ns>(18600 * kSecond + kSecond / 2));
}

void LogTimeTest::datesThatAColumnExplains() {
    const std::optional<Ns> expected = local(2025, 7, 22, 5, 10);
    QCOMPARE(stamp("22/07/2025 05:10", StampUnit::DateTimeDmy, StampBasis::Wall), expected);
    QCOMPARE(stamp("07-22-2025 05:10:00.000", StampUnit::DateTimeMdy, StampBasis::Wall), expected);
    QCOMPARE(stamp("20250722 05:10:00", StampUnit::DateTime, StampBasis::Wall), expected);
    QCOMPARE(stamp("22.7.2025 5:10:0.0", StampUnit::DateTime, StampBasis::Wall), expected);
    QCOMPARE(stamp("Tue Jul 22 05:10:00 2025", StampUnit::DateTime, StampBasis::Wall), expected);
    QCOMPARE(stamp("Tue Jul 22 05:10:00 UTC 2025", StampUnit::DateTime, StampBasis::Epoch), expected);
    QCOMPARE(stamp("Tue Jul 22 07:10:00 2025 +0200", StampUnit::DateTime, StampBasis::Epoch), expected);
    // Nothing is guessed: days and months behind a slash, and zones that have only a name.
    QVERIFY(!parseStamp("07/22/2025 05:10", StampUnit::DateTime));
    QVERIFY(!parseStamp("22/07/2025 05:10", StampUnit::DateTimeMdy));
    QCOMPARE(stamp("Tue Jul 22 05:10:00 CST 2025", StampUnit::DateTime, StampBasis::Wall), expected);
    QVERIFY(!parseStamp("Tue Jul 22 05:10:00 CST 2025 x", StampUnit::DateTime));
}

void LogTimeTest::offsetsAreUsedOnce() {
    const std::optional<Ns> expected = 1753161000 * kSecond;
    for (const char *text : {"2025-07-22T14:10:00+09:00", "2025-07-22T05:10:00Z", "2025-07-22 05:10:00 UTC",
                             "2025-07-21T22:40:00-0630", "2025-07-22T07:10:00+02"})
        QVERIFY2(stamp(text, StampUnit::DateTime, StampBasis::Epoch) == expected, text);
}

void LogTimeTest::numbersTellTheirUnitBySize() {
    for (const char *text :
         {"1753161000", "1753161000000", "1753161000000000", "1753161000000000000", "1753161000.0"})
        QVERIFY2(stamp(text, StampUnit::Auto, StampBasis::Epoch) == std::optional<Ns>(1753161000 * kSecond), text);
    QCOMPARE(stamp("1763638585.215", StampUnit::Auto, StampBasis::Epoch), std::optional<Ns>(1763638585215000000));
    QCOMPARE(stamp("12.5", StampUnit::Auto, StampBasis::Relative), std::optional<Ns>(12'500'000'000));
    QCOMPARE(stamp("2000000", StampUnit::Microseconds, StampBasis::Relative), std::optional<Ns>(2 * kSecond));
}

void LogTimeTest::nonsenseIsNoTime() {
    for (const char *text :
         {"", "abc", "2025/13/01 00:00:00", "2025/02/30 00:00:00", "2025/07/22 25:00:00", "2025-07-22T05:10:00+9x",
          "1/2", "2025-07-22 05:10:00 CEST", "12:61", "99999999999999999999999", "07/22/2025 05:10:00"})
        QVERIFY2(!parseStamp(text, StampUnit::Auto), text);
    QVERIFY(!parseStamp("2025-07-22", StampUnit::Seconds));
}

void LogTimeTest::calendarAgreesWithItself() {
    QCOMPARE(daysFromCivil(1970, 1, 1), std::int64_t{0});
    QCOMPARE(daysFromCivil(2000, 3, 1) - daysFromCivil(2000, 2, 28), std::int64_t{2});
    QCOMPARE(daysFromCivil(2100, 3, 1) - daysFromCivil(2100, 2, 28), std::int64_t{1});
    std::int64_t expected = daysFromCivil(1960, 1, 1);
    for (int year = 1960; year < 2120; ++year) {
        QCOMPARE(yearOfDay(expected), std::int64_t{year});
        QCOMPARE(yearOfDay(expected - 1), std::int64_t{year - 1});
        for (int month = 1; month <= 12; ++month) {
            QCOMPARE(daysFromCivil(year, month, 1), expected);
            const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            const int lengths[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
            expected += lengths[month - 1];
        }
    }
}

void LogTimeTest::fixedZones() {
    QCOMPARE(zoneOrNothing("")->toUtc(5).first, Ns{5});
    QCOMPARE(zoneOrNothing("UTC")->toUtc(5).first, Ns{5});
    QCOMPARE(zoneOrNothing("+02:00")->toUtc(7200 * kSecond).first, Ns{0});
    QCOMPARE(zoneOrNothing("-0530")->toUtc(0).first, 19800 * kSecond);
    const Expected<TimeZone> unknown = TimeZone::named("Mars/Olympus");
    QVERIFY(!unknown);
    QVERIFY(unknown.error().sentence().find("Europe/Berlin") != std::string::npos);
    for (const char *name : {"../../etc/passwd", "/etc/passwd", "+99:00", "+1:2:3:4:5"})
        QVERIFY2(!TimeZone::named(name), name);
}

void LogTimeTest::namedZonesFollowSummerTime() {
    const auto berlin = zoneOrNothing("Europe/Berlin");
    if (!berlin)
        QSKIP("skipped: the system has no tz database");
    QCOMPARE(berlin->toUtc(local(2025, 1, 15, 12)).first, local(2025, 1, 15, 11));
    QCOMPARE(berlin->toUtc(local(2025, 7, 15, 12)).first, local(2025, 7, 15, 10));
    QCOMPARE(berlin->toUtc(local(2070, 7, 15, 12)).first, local(2070, 7, 15, 10));  // by the rule after the list
    const TimeZone::Utc twice = berlin->toUtc(local(2025, 10, 26, 2, 30));
    QCOMPARE(twice.first, local(2025, 10, 26, 0, 30));
    QCOMPARE(twice.second, std::optional<Ns>(local(2025, 10, 26, 1, 30)));
    QVERIFY(!berlin->toUtc(local(2025, 10, 26, 3, 30)).second);
    QCOMPARE(berlin->toUtc(local(2025, 3, 30, 2, 30)).first,
             local(2025, 3, 30, 1, 30));  // an hour that was skipped
}

void LogTimeTest::rulesOfThePosixStrings() {
    const auto berlin = PosixRule::parse("CET-1CEST,M3.5.0,M10.5.0/3");
    QVERIFY(berlin.has_value());
    QCOMPARE(berlin->offsetAt(local(2040, 1, 1, 0) / kSecond), std::int64_t{3600});
    QCOMPARE(berlin->offsetAt(local(2040, 7, 1, 0) / kSecond), std::int64_t{7200});
    QCOMPARE(berlin->offsetAt(local(2026, 3, 29, 1) / kSecond - 1), std::int64_t{3600});
    QCOMPARE(berlin->offsetAt(local(2026, 3, 29, 1) / kSecond), std::int64_t{7200});
    QCOMPARE(berlin->offsetAt(local(2026, 10, 25, 1) / kSecond), std::int64_t{3600});
    const auto sydney = PosixRule::parse("AEST-10AEDT,M10.1.0,M4.1.0/3");
    QCOMPARE(sydney->offsetAt(local(2040, 1, 1, 0) / kSecond), std::int64_t{39600});
    QCOMPARE(sydney->offsetAt(local(2040, 7, 1, 0) / kSecond), std::int64_t{36000});
    QCOMPARE(PosixRule::parse("<+0545>-5:45")->offsetAt(0), std::int64_t{20700});
    QVERIFY(PosixRule::parse("XXX3YYY,J60/0,J300").has_value());
    for (const char *text :
         {"", "CET", "CET-1CEST", "CET-1CEST,M3.5", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0,M10.5.0x"})
        QVERIFY2(!PosixRule::parse(text), text);
}

void LogTimeTest::brokenZoneFilesAreRefused() {
    QVERIFY(!TimeZone::fromTzif("x", ""));
    QVERIFY(!TimeZone::fromTzif("x", "TZif2"));
    std::string huge = "TZif2" + std::string(15, '\0') + std::string(24, '\x7F');
    QVERIFY(!TimeZone::fromTzif("x", huge));
    QVERIFY(!TimeZone::fromTzif("x", huge + std::string(1000, '\0')));
}

void LogTimeTest::repeatedHourGoesOn() {
    auto berlin = zoneOrNothing("Europe/Berlin");
    if (!berlin)
        QSKIP("skipped: the system has no tz database");
    LogClock clock(StampUnit::DateTime, StampUnit::Auto, *berlin, true);
    std::vector<Ns> times;
    for (const char *text : {"2025/10/26 02:40:00", "2025/10/26 02:50:00", "2025/10/26 02:00:00",
                             "2025/10/26 02:50:00", "2025/10/26 03:00:00"})
        times.push_back(*clock.read(text));
    QCOMPARE(times,
             (std::vector<Ns>{local(2025, 10, 26, 0, 40), local(2025, 10, 26, 0, 50), local(2025, 10, 26, 1, 0),
                              local(2025, 10, 26, 1, 50), local(2025, 10, 26, 2, 0)}));
    QVERIFY(clock.zoneText().starts_with("Europe/Berlin"));
}

void LogTimeTest::midnightIsPassed() {
    LogClock clock(StampUnit::Auto, StampUnit::Auto, *zoneOrNothing(""), false);
    QCOMPARE(clock.read("23:59:59"), std::optional<Ns>(86399 * kSecond));
    QCOMPARE(clock.read("00:00:01"), std::optional<Ns>(86401 * kSecond));
    QVERIFY(clock.basis() == ClockBasis::TimeOfDay);
    QVERIFY(clock.zoneText().empty());
}

void LogTimeTest::oneBasisForAFile() {
    LogClock clock(StampUnit::Auto, StampUnit::Nanoseconds, *zoneOrNothing(""), false);
    QCOMPARE(clock.read("1000"), std::optional<Ns>(1000));  // the header's unit, not the size, tells it
    QVERIFY(!clock.read("2025/07/22 05:10:00"));
    QVERIFY(clock.basis() == ClockBasis::Relative);
    LogClock wall(StampUnit::Auto, StampUnit::Seconds, *zoneOrNothing(""), false);
    QVERIFY(wall.read("2025-03-28 01:56:32.8").has_value());  // a column "(s)" that holds dates
    QVERIFY(wall.zoneText().find("assumed") != std::string::npos);
}

void LogTimeTest::stepsBackKeepTheRhythm() {
    StepGuard guard;
    StepGuard::Track track;
    std::vector<Ns> placed;
    for (const Ns t : {0, 10, 20, 5, 15, 25})
        placed.push_back(guard.place(track, t * kSecond)->ts / kSecond);
    QCOMPARE(placed, (std::vector<Ns>{0, 10, 20, 30, 40, 50}));
}

void LogTimeTest::smallDisorderIsNoStep() {
    StepGuard guard;
    StepGuard::Track track;
    static_cast<void>(guard.place(track, 0));
    static_cast<void>(guard.place(track, 10));
    QVERIFY(guard.place(track, 8)->order == StepGuard::Order::Disordered);
    QVERIFY(guard.place(track, 10)->order == StepGuard::Order::Same);
    QCOMPARE(guard.place(track, 20)->ts, Ns{20});
}

// Found by fuzzing: a clock that keeps stepping between far dates.
void LogTimeTest::stepsBeyondTheClockAreRefused() {
    StepGuard guard;
    StepGuard::Track track;
    constexpr Ns kFar = 6'000'000'000 * kSecond;
    QVERIFY(guard.place(track, kFar).has_value());
    QVERIFY(guard.place(track, 0).has_value());
    QVERIFY(!guard.place(track, kFar));
    QVERIFY(guard.place(track, 1).has_value());
}

QTEST_APPLESS_MAIN(LogTimeTest)
#include "tst_log_time.moc"
