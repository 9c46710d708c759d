#include <cmath>

#include <QTest>

#include "report/report.h"

using namespace wattproof;
using namespace wattproof::report;

class QuantityTest : public QObject {
    Q_OBJECT

private slots:
    void threeSignificantDigits_data();
    void threeSignificantDigits();
    void unknownIsADash();
    void durationsAboveAMinute();
    void intervalSharesTheScale();
    void percentages();
    void escapesMarkupAndControls();
};

void QuantityTest::threeSignificantDigits_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<QString>("text");
    QTest::newRow("kilo") << 1240.0 << "J" << "1.24\u2009kJ";
    QTest::newRow("milli") << 0.231 << "s" << "231\u2009ms";
    QTest::newRow("giga") << 1.98e9 << "Hz" << "1.98\u2009GHz";
    QTest::newRow("compound") << 412.3 << "token/J" << "412\u2009token/J";
    QTest::newRow("border rounds up") << 999.6 << "W" << "1.00\u2009kW";
    QTest::newRow("tens") << 41.26 << "W" << "41.3\u2009W";
    QTest::newRow("zero") << 0.0 << "J" << "0\u2009J";
    QTest::newRow("small without prefix") << 0.00123 << "token/J" << "0.00123\u2009token/J";
    QTest::newRow("temperature") << 84.2 << "degC" << "84.2\u2009°C";
    QTest::newRow("negative") << -2500.0 << "J" << "-2.50\u2009kJ";
}

void QuantityTest::threeSignificantDigits() {
    QFETCH(double, value);
    QFETCH(QString, unit);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(quantity(value, unit.toStdString())), text);
}

void QuantityTest::unknownIsADash() {
    QCOMPARE(quantity(std::optional<double>(), "J"), std::string("–"));
    QCOMPARE(quantity(std::nan(""), "J"), std::string("–"));
}

void QuantityTest::durationsAboveAMinute() {
    QCOMPARE(duration(231'000'000), std::string("231\u2009ms"));
    QCOMPARE(duration(200'000'000'000), std::string("3 min 20 s"));
    QCOMPARE(duration(3'900'000'000'000), std::string("1 h 05 min"));
}

void QuantityTest::intervalSharesTheScale() {
    QCOMPARE(intervalText(370, {310, 430}, "J"), std::string("370\u2009J [310–430]"));
    analysis::Finding finding;
    QCOMPARE(recoverableText(finding), std::string("–"));
    finding.recoverableNs = 2e6;
    QCOMPARE(recoverableText(finding), std::string("2.00\u2009ms"));
    finding.recoverableJ = analysis::Interval{310, 430};
    QCOMPARE(recoverableText(finding), std::string("370\u2009J [310–430]"));
    finding.recoverableJ = analysis::Interval{-749, 141};
    QCOMPARE(recoverableText(finding), std::string("costs 304\u2009J [-141 to 749]"));
    QCOMPARE(intervalText(-304, {-749, 141}, "J"), std::string("-304\u2009J [-749 to 141]"));
    QCOMPARE(intervalText(1200, {900, 1500}, "J"), std::string("1.20\u2009kJ [0.900–1.50]"));
}

void QuantityTest::percentages() {
    QCOMPARE(percent(0.9821), std::string("98.2\u2009%"));
    QCOMPARE(percent(1.0), std::string("100\u2009%"));
    QCOMPARE(percent(0.0), std::string("0\u2009%"));
}

void QuantityTest::escapesMarkupAndControls() {
    QCOMPARE(escapeHtml("<a href='x'>&\"\x01"), std::string("&lt;a href=&#39;x&#39;&gt;&amp;&quot;\uFFFD"));
}

QTEST_APPLESS_MAIN(QuantityTest)
#include "tst_quantity.moc"
