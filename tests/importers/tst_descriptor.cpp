#include "importers/power/channels.h"
#include "importers/power/descriptor.h"
#include "importers/power/sensor_facts.h"
#include "tests/importers/power_support.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using wattproof::test::importPowerText;

class DescriptorTest : public QObject {
    Q_OBJECT

private slots:
    void shippedFilesAreValid();
    void messagesNameFileKeyAndType_data();
    void messagesNameFileKeyAndType();
    void namesMatchWithDigits();
    void shortFormMapsColumns();
    void shortFormByIndexNeedsNoHeader();
    void longFormMapsEveryKey();
    void givenDescriptorIsTheOnlyOne();
    void rivalDomainsAreNotAddedTwice();
    void circlesOfDomainsAreBroken();
    void sensorFactsAreChecked();
};

void DescriptorTest::shippedFilesAreValid() {
    const Expected<PowerResources> resources = loadPowerResources();
    QVERIFY2(resources.has_value(), resources ? "" : resources.error().sentence().c_str());
    QVERIFY(resources->descriptors.size() >= 3);
    QVERIFY(resources->classes.size() >= 5);
    const Expected<SensorFacts> facts = SensorFacts::load();
    QVERIFY2(facts.has_value(), facts ? "" : facts.error().sentence().c_str());
}

void DescriptorTest::messagesNameFileKeyAndType_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("expected");
    const auto add = [](const char *json, const char *key, const char *expected) {
        QTest::newRow(json) << QByteArray(json) << QByteArray(key) << QByteArray(expected);
    };
    add("[]", "document", "an object");
    add(R"({"time": 1e999})", "cannot be kept", "1e999");
    add("{}", "\"time\"", "there");
    add(R"({"time": {"names": ["t"]}})", "\"columns\"", "there");
    add(R"({"time": {"names": [1]}, "columns": []})", "\"time.names\"", "array of strings");
    add(R"({"time": {"names": "t", "unit": "fortnight"}, "columns": []})", "\"time.unit\"", "one of auto");
    add(R"({"time": {"names": "t"}, "columns": [{"quantity": "power"}]})", "\"columns[0].names\"", "there");
    add(R"({"time": {"names": "t"}, "columns": [{"names": "p"}]})", "\"columns[0].quantity\"", "there");
    add(R"({"time": {"names": "t"}, "columns": [{"names": "p", "quantity": "power", "kind": "wild"}]})",
        "\"columns[0].kind\"", "one of gauge");
    add(R"({"time": {"names": "t"}, "columns": [{"names": "p", "quantity": "power", "unit": "hp"}]})",
        "\"columns[0].unit\"", "a unit");
    add(R"({"time": {"names": "t"}, "columns": [{"names": "p", "quantity": "power", "below": "x"}]})",
        "\"columns[0].below\"", "a number");
    add(R"({"time": {"names": "t"}, "columns": [{"names": "p", "quantity": "power", "index": -1}]})",
        "\"columns[0].index\"", "an integer");
    add(R"({"time": {"names": "t"}, "columns": [{"names": "p", "quantity": "power", "bit": 60}]})",
        "\"columns[0].bit\"", "between 0 and 52");
    add(R"({"time": {"names": "t"}, "columns": [{"names": "p", "quantity": "power", "flag_words": {"hot": 60}}]})",
        "\"columns[0].flag_words\"", "between 0 and 52");
    add(R"({"time": {"names": "t"}, "columns": [{"names": "p", "quantity": "power", "colour": 1}]})",
        "\"columns[0].colour\"", "not known");
    add(R"({"time": {"names": "t"}, "columns": [], "device": {"kind": "toaster"}})", "\"device.kind\"",
        "one of gpu");
    add(R"({"time": {"names": "t"}, "columns": [], "delimiter": ";;"})", "\"delimiter\"", "one character");
    add(R"({"time": {"names": "t"}, "columns": [], "mark": "##"})", "\"mark\"", "one character");
    add(R"({"time": {"names": "t"}, "columns": [], "form": "scroll"})", "\"form\"", "one of long");
    add(R"({"time": {"names": "t"}, "columns": [], "form": "long"})", "\"long\"", "\"field\"");
    add(R"({"time": {"names": "t", "period_s": -1}, "columns": []})", "\"time.period_s\"", "between 0");
    add(R"({"time": {"names": "t"}, "columns": [], "confidence": 7})", "\"confidence\"", "between 0 and 1");
    add(R"({"format": 5, "time": {"names": "t"}, "columns": []})", "\"format\"", "a string");
    add(R"({"columns": {"power": "p"}})", "\"columns.time\"", "there");
    add(R"({"columns": {"time": "t"}})", "\"columns.power\"", "there");
    add(R"({"columns": {"time": "t", "power": {"unit": "W"}}})", "\"columns.power.name\"", "there");
    add(R"({"columns": {"time": "t", "power": "p", "torque": "x"}})", "\"columns.torque\"", "not known");
}

void DescriptorTest::messagesNameFileKeyAndType() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, expected);
    const Expected<Descriptor> descriptor = parseDescriptor(json.toStdString(), "mine.json");
    QVERIFY(!descriptor);
    const std::string sentence = descriptor.error().sentence();
    for (const std::string &part : {std::string("mine.json"), key.toStdString(), expected.toStdString()})
        QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
}

void DescriptorTest::namesMatchWithDigits() {
    QCOMPARE(matchName("gpu#", "gpu12"), std::optional<std::string>("12"));
    QCOMPARE(matchName("gpu#_power", "gpu3_power"), std::optional<std::string>("3"));
    QCOMPARE(matchName("power", "power"), std::optional<std::string>(""));
    QCOMPARE(matchName("8-pin #1 power", "8-pin #1 power"), std::optional<std::string>(""));
    for (const char *text : {"gpu", "gpux", "gpu1x", "1"})
        QVERIFY2(!matchName("gpu#", text), text);
}

void DescriptorTest::shortFormMapsColumns() {
    Options options;
    options.format = "csv";
    options.descriptorJson =
        R"({"columns": {"time": {"name": "t", "unit": "ns"}, "device": "box", "power": {"name": "p", "unit": "mW"}}})";
    const auto log = importPowerText("t,box,p,other\n0,gpu3,5000,1\n1000000000,gpu3,7000,1\n", options);
    QVERIFY(log->summary);
    QCOMPARE(log->joules("GPU 3"), 6.0);
    QCOMPARE(log->summary->format, std::string("csv"));
    QCOMPARE(log->writer.metadataValue("columns_not_read"), std::string("other"));
}

void DescriptorTest::shortFormByIndexNeedsNoHeader() {
    Options options;
    options.descriptorJson =
        R"({"columns": {"time": {"index": 0, "unit": "datetime"}, "power": {"index": 2, "unit": "W"}}})";
    const auto log =
        importPowerText("2025/07/22 05:10:00.000, 37, 100\n2025/07/22 05:10:01.000, 38, 300\n", options);
    QVERIFY2(log->summary.has_value(), log->summary ? "" : log->summary.error().sentence().c_str());
    QCOMPARE(log->joules("GPU 0"), 200.0);
}

void DescriptorTest::longFormMapsEveryKey() {
    Options options;
    options.descriptorJson = R"({"format": "mine", "title": "my meter", "delimiter": "|", "missing": ["void"],
        "recognise": {"all_of": ["when"], "any_of": ["wall"]},
        "time": {"names": ["when"], "unit": "s"}, "device": {"host": "rack", "kind": "outlet", "fallback": "meter"},
        "columns": [{"names": "wall", "label": "wall power", "quantity": "power", "unit": "kW", "kind": "mean", "domain": "ac-input", "below": 9000},
                    {"names": "fan", "quantity": "power", "unit": "W", "device": "fans", "domain": "fan"}]})";
    const auto log = importPowerText("when|wall|fan\n10|0.5|20\n11|void|20\n12|0.5|20\n13|99|20\n", options);
    QVERIFY2(log->summary.has_value(), log->summary ? "" : log->summary.error().sentence().c_str());
    const CounterRow *wall = log->counter("meter", "wall power");
    QVERIFY(wall);
    QVERIFY(wall->kind == CounterKind::Mean);
    QCOMPARE(wall->domain, std::string("ac-input"));
    QCOMPARE(log->samples(*wall).size(), std::size_t{2});
    QCOMPARE(log->samples(*wall)[0].value, 500.0);
    QCOMPARE(log->writer.warningCount("implausible_value"), std::int64_t{1});
    QCOMPARE(log->joules("fans"), 60.0);
    QVERIFY(log->writer.devices[0].kind == DeviceKind::Outlet);
}

void DescriptorTest::givenDescriptorIsTheOnlyOne() {
    Options options;
    options.descriptorJson = R"({"columns": {"time": "t", "power": "p"}})";
    const auto log = importPowerText("timestamp, power.draw [W]\n2025/07/22 05:10:00.000, 100 W\n", options);
    QVERIFY(!log->summary);
    QVERIFY(log->summary.error().sentence().find("power.draw") != std::string::npos);
}

void DescriptorTest::rivalDomainsAreNotAddedTwice() {
    const auto log = importPowerText(
        "time_ns,zone,energy_uj\n0,psys,0\n0,package-0,0\n0,package-1,0\n0,core,0\n0,dram,0\n"
        "1000000000,psys,90000000\n1000000000,package-0,30000000\n1000000000,package-1,30000000\n1000000000,core,"
        "9000000\n1000000000,dram,5000000\n");
    QVERIFY(log->summary);
    double total = 0;
    for (const CounterRow &row : log->writer.counters)
        if (!row.parent.valid())
            total += log->series(row).energy(log->series(row).extent()).j;
    // The core of an unnumbered domain cannot be told to lie in one of two packages, and stands alone.
    QCOMPARE(total, 90.0 + 9.0);
    QVERIFY(log->counter("package-1", "energy_uj")->parent == log->counter("psys", "energy_uj")->id);
    QVERIFY(log->writer.devices[1].parent.valid() || log->writer.devices[0].parent.valid());
}

void DescriptorTest::circlesOfDomainsAreBroken() {
    const ColumnRule rule = [] {
        ColumnRule made;
        made.quantity = "power";
        return made;
    }();
    std::vector<LogDevice> devices(2);
    devices[0].inside = "b";
    devices[1].inside = "a";
    std::vector<Channel> channels(2);
    for (std::size_t i = 0; i < 2; ++i) {
        channels[i].device = i;
        channels[i].rule = &rule;
        channels[i].domain = i == 0 ? "a" : "b";
        channels[i].count = 1;
    }
    const std::vector<std::ptrdiff_t> parents = channelParents(channels, devices);
    QVERIFY(parents[0] < 0 || parents[1] < 0);
}

void DescriptorTest::sensorFactsAreChecked() {
    QVERIFY(SensorFacts::parse(R"({"sensors": [{"fields": ["p"], "period_ms": 50}]})", "s.json"));
    const Expected<SensorFacts> wrong =
        SensorFacts::parse(R"({"sensors": [{"fields": ["p"], "period_ms": "50"}]})", "s.json");
    QVERIFY(!wrong && wrong.error().sentence().find("\"sensors[0].period_ms\"") != std::string::npos);
}

QTEST_APPLESS_MAIN(DescriptorTest)
#include "tst_descriptor.moc"
