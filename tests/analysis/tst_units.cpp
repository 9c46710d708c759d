// What counts as work: slices with and without arguments that say how much they hold.
#include "analysis/context_builder.h"
#include "analysis/headline/units.h"
#include "importers/session.h"
#include "tests/support/temporary_workspace.h"

#include <QFile>
#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

// Four steps; argsOf gives the arguments of each.
template <class Args>
QByteArray stepsWith(Args argsOf) {
    QByteArray text = "[";
    for (int i = 0; i < 4; ++i) {
        const QByteArray step = QByteArray::number(i);
        text += (i > 0 ? "," : "") +
                QByteArray(R"({"ph":"X","pid":1,"tid":1,"cat":"user_annotation","dur":900,)") + R"("ts":1)" + step +
                R"(000,"name":"decode_step#)" + step + R"(","args":{)" + argsOf(i) + "}}";
    }
    return text + "]";
}

}  // namespace

class TestUnits : public QObject {
    Q_OBJECT
private slots:
    void amountsAreDetected_data();
    void amountsAreDetected();

private:
    Context unitsOf(const QByteArray &trace, const Scenario &scenario);
};

Context TestUnits::unitsOf(const QByteArray &trace, const Scenario &scenario) {
    const TemporaryWorkspace files;
    QFile file(files.folder() + "/trace.json");
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write the trace");
    file.write(trace);
    file.close();
    require(importers::importToNew({file.fileName().toStdString()}, files.path(), {}, {}));
    const auto workspace = files.open();
    auto reader = require(workspace->reader());
    Context context;
    context.scenario = scenario;
    require(buildContext(*reader, context, {}));
    require(findUnits(*reader, context, {}));
    return context;
}

void TestUnits::amountsAreDetected_data() {
    QTest::addColumn<QByteArray>("trace");
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("sum");
    QTest::addColumn<bool>("detected");
    const auto tokens = stepsWith([](int i) { return R"("tokens":)" + QByteArray::number(10 * i); });
    QTest::newRow("no argument") << stepsWith([](int) { return QByteArray(); }) << "{}"
                                 << "step" << 4.0 << false;
    QTest::newRow("tokens") << tokens << "{}"
                            << "token" << 60.0 << true;
    QTest::newRow("samples") << stepsWith([](int) { return QByteArray(R"("batch_size":8)"); }) << "{}"
                             << "sample" << 32.0 << true;
    QTest::newRow("one step lacks it") << stepsWith([](int i) {
        return i == 2 ? QByteArray() : QByteArray(R"("tokens":7)");
    }) << "{}"
                                       << "step" << 4.0 << false;
    QTest::newRow("all say zero") << stepsWith([](int) { return QByteArray(R"("tokens":0)"); }) << "{}"
                                  << "step" << 4.0 << false;
    QTest::newRow("no number") << stepsWith([](int) { return QByteArray(R"("tokens":"many")"); }) << "{}"
                               << "step" << 4.0 << false;
    QTest::newRow("the scenario counts steps") << tokens << R"({"unit":{"name":"step"}})"
                                               << "step" << 4.0 << false;
    QTest::newRow("the scenario states an amount") << tokens << R"({"unit":{"amount":5}})"
                                                   << "step" << 20.0 << false;
    QTest::newRow("the scenario names the slices") << tokens << R"({"unit":{"slices":"decode_step#*"}})"
                                                   << "token" << 60.0 << true;
}

void TestUnits::amountsAreDetected() {
    QFETCH(QByteArray, trace);
    QFETCH(QString, scenario);
    QFETCH(QString, unit);
    QFETCH(double, sum);
    QFETCH(bool, detected);
    const Context context = unitsOf(trace, require(parseScenario(scenario.toStdString(), "test")));
    QCOMPARE(context.units.size(), std::size_t{4});
    double units = 0;
    for (const WorkUnit &work : context.units)
        units += work.units;
    QCOMPARE(units, sum);
    QCOMPARE(QString::fromStdString(context.scenario.unitName), unit);
    QVERIFY(context.scenario.detected.contains("unit"));
    QCOMPARE(context.scenario.detected.contains("unit.amount"), detected);
}

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
