#include "analysis/scenario.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::analysis;

class TestScenario : public QObject {
    Q_OBJECT
private slots:
    void readsEveryKeyOfTheDocument();
    void comesBackFromItsOwnJson();
    void emptyObjectIsAScenario();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
};

namespace {
const char *kWhole = R"({"name": "decode", "workload": "llama", "declared_precision": "bf16",
 "unit": {"name": "token", "slices": "decode_step#*", "amount": "args.tokens"},
 "sla": [{"metric": "latency", "percentile": 99, "limit_ms": 250}], "window_s": 0.5,
 "sustained": {"mode": "all"},
 "domains": {"accelerator": ["GPU 0"], "host": ["package"], "memory": ["dram"]},
 "idle_floor_w": {"GPU 0": 72}, "device_specs": {"GPU 0": "NVIDIA H100 SXM"},
 "budget_j_per_unit": 0.5, "production_shapes": ["batch=32,seq=4096"],
 "guardrails": [{"metric": "accuracy", "slice": "*", "min": 0.76}]})";
}

void TestScenario::readsEveryKeyOfTheDocument() {
    const auto scenario = parseScenario(kWhole, "s.json");
    QVERIFY2(scenario, scenario ? "" : scenario.error().sentence().c_str());
    QCOMPARE(scenario->unitName, std::string("token"));
    QCOMPARE(scenario->unitSlices, std::string("decode_step#*"));
    QCOMPARE(scenario->unitAmountArgument, std::string("args.tokens"));
    QVERIFY(!scenario->unitAmount);
    QCOMPARE(scenario->sla.size(), std::size_t(1));
    QCOMPARE(scenario->sla[0].limitMs, 250.0);
    QCOMPARE(*scenario->windowSeconds, 0.5);
    QCOMPARE(scenario->sustainedMode, std::string("all"));
    QCOMPARE(scenario->domains.at("host").front(), std::string("package"));
    QCOMPARE(scenario->idleFloorW.at("GPU 0"), 72.0);
    QCOMPARE(*scenario->budgetJPerUnit, 0.5);
    QCOMPARE(*scenario->guardrails[0].min, 0.76);
}

void TestScenario::comesBackFromItsOwnJson() {
    const auto first = parseScenario(kWhole, "s.json");
    const auto second = parseScenario(toJson(*first).dump(), "again");
    QVERIFY(second);
    QCOMPARE(QString::fromStdString(toJson(*second).dump()), QString::fromStdString(toJson(*first).dump()));
}

void TestScenario::emptyObjectIsAScenario() {
    const auto scenario = parseScenario("{}", "s.json");
    QVERIFY(scenario);
    QVERIFY(scenario->unitSlices.empty() && scenario->sla.empty() && !scenario->budgetJPerUnit);
}

void TestScenario::saysWhatIsWrong_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("part");
    QTest::newRow("not json") << "{"
                              << "not valid JSON";
    QTest::newRow("not an object") << "[1]"
                                   << "must be an object";
    QTest::newRow("misspelt key") << R"({"bugdet": 1})"
                                  << "\"bugdet\" is not a known key";
    QTest::newRow("misspelt nested key") << R"({"unit": {"nmae": "x"}})"
                                         << "\"unit.nmae\"";
    QTest::newRow("text for a number") << R"({"window_s": "1"})"
                                       << "\"window_s\" must be a number";
    QTest::newRow("zero window") << R"({"window_s": 0})"
                                 << "\"window_s\"";
    QTest::newRow("percentile") << R"({"sla": [{"percentile": 101, "limit_ms": 1}]})"
                                << "\"sla[0].percentile\"";
    QTest::newRow("no limit") << R"({"sla": [{"percentile": 99}]})"
                              << "\"sla[0].limit_ms\"";
    QTest::newRow("amount") << R"({"unit": {"amount": "tokens"}})"
                            << "\"unit.amount\"";
    QTest::newRow("list of texts") << R"({"production_shapes": [1]})"
                                   << "\"production_shapes\" must be a list of texts";
    QTest::newRow("unknown domain") << R"({"domains": {"gpu": ["x"]}})"
                                    << "\"domains.gpu\"";
    QTest::newRow("floor") << R"({"idle_floor_w": {"GPU 0": "72"}})"
                           << "\"idle_floor_w.GPU 0\"";
    QTest::newRow("guardrail") << R"({"guardrails": [{"metric": "a"}]})"
                               << "\"guardrails[0].min\"";
    QTest::newRow("mode") << R"({"sustained": {"mode": "never"}})"
                          << "\"sustained.mode\"";
}

void TestScenario::saysWhatIsWrong() {
    QFETCH(QString, json);
    QFETCH(QString, part);
    const auto scenario = parseScenario(json.toStdString(), "s.json");
    QVERIFY(!scenario);
    const QString sentence = QString::fromStdString(scenario.error().sentence());
    QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY(sentence.contains("s.json"));
}

QTEST_APPLESS_MAIN(TestScenario)
#include "tst_scenario.moc"
