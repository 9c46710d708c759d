// The tables of the import and the mapping dialog, apart from their dialogs: each keeps the rules of Qt's models while it
// is filled and edited, and an edit says what it changed.
#include "report/draw/theme.h"
#include "widgets/import/look_model.h"
#include "widgets/import/mapping_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

MappedColumn column(const std::string &header, ColumnRole role = ColumnRole::Ignore) {
    MappedColumn mapped;
    mapped.header = header;
    mapped.role = role;
    return mapped;
}

TableLook table() {
    TableLook look;
    look.mapping.columns = {column("when", ColumnRole::Time), column("slot"), column("draw"), column("hour")};
    look.rows = {{"1", "0", "300.5", "x"}, {"2", "1", "310", "y"}};
    return look;
}

FileLook readableLook() {
    FileLook look;
    look.path = "/logs/power.csv";
    look.kind = SourceKind::Power;
    look.format = "csv";
    look.detailed = true;
    look.devices = {"GPU 0"};
    return look;
}

QString text(const QAbstractItemModel &model, int row, int column) {
    return model.index(row, column).data().toString();
}

}  // namespace

class ImportModelsTest : public QObject {
    Q_OBJECT

private slots:
    void mappingOffersWhatAColumnMayMean();
    void meaningBringsItsUnitAndKind();
    void thereIsOneTimeColumn();
    void deviceColumnOfNumbersIsAnIndex();
    void wordsThatMeanNothingChangeNothing();
    void filesAreLookedAtOneByOne();
    void fileIsLeftOutByItsBox();
    void unreadableFileHasNoBox();
};

void ImportModelsTest::mappingOffersWhatAColumnMayMean() {
    MappingModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    model.setLook(table());
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(text(model, 0, MappingModel::Means), QString("time"));
    QCOMPARE(text(model, 2, MappingModel::First), QString("300.5 · 310"));
    const QModelIndex means = model.index(2, MappingModel::Means), unit = model.index(2, MappingModel::Unit);
    QVERIFY(means.data(MappingModel::kOptionsRole).toStringList().contains("power"));
    QVERIFY(means.flags() & Qt::ItemIsEditable);
    QVERIFY(!(unit.flags() & Qt::ItemIsEditable));  // nothing to choose before it is a value
    QVERIFY(model.setData(means, "power", Qt::EditRole));
    QVERIFY(unit.flags() & Qt::ItemIsEditable);
    QVERIFY(unit.data(MappingModel::kOptionsRole).toStringList().contains("mW"));
    QVERIFY(unit.data(MappingModel::kFreeRole).toBool());
    QVERIFY(!means.data(MappingModel::kFreeRole).toBool());
}

void ImportModelsTest::meaningBringsItsUnitAndKind() {
    MappingModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setLook(table());
    const QSignalSpy changed(&model, &MappingModel::mappingChanged);
    QVERIFY(model.setData(model.index(2, MappingModel::Means), "power", Qt::EditRole));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.mapping().columns[2].unit, std::string("W"));
    QVERIFY(model.setData(model.index(2, MappingModel::Unit), "mW", Qt::EditRole));
    QVERIFY(model.setData(model.index(2, MappingModel::Means), "power", Qt::EditRole));
    QCOMPARE(model.mapping().columns[2].unit, std::string("mW"));  // what was chosen stays where it still fits
    QVERIFY(model.setData(model.index(2, MappingModel::Means), "energy", Qt::EditRole));
    QCOMPARE(model.mapping().columns[2].unit, std::string("J"));
    QCOMPARE(model.mapping().columns[2].kind, CounterKind::Counter);
    QVERIFY(model.setData(model.index(2, MappingModel::Device), "GPU 3", Qt::EditRole));
    QCOMPARE(model.mapping().columns[2].device, std::string("GPU 3"));
}

void ImportModelsTest::thereIsOneTimeColumn() {
    MappingModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setLook(table());
    QVERIFY(model.setData(model.index(3, MappingModel::Means), "time", Qt::EditRole));
    QCOMPARE(model.mapping().columns[3].role, ColumnRole::Time);
    QCOMPARE(model.mapping().columns[0].role, ColumnRole::Ignore);
}

void ImportModelsTest::deviceColumnOfNumbersIsAnIndex() {
    MappingModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setLook(table());
    QVERIFY(model.setData(model.index(1, MappingModel::Means), "device", Qt::EditRole));
    QVERIFY(model.mapping().deviceIsIndex);
    QVERIFY(model.setData(model.index(3, MappingModel::Means), "device", Qt::EditRole));
    QVERIFY(!model.mapping().deviceIsIndex);
}

void ImportModelsTest::wordsThatMeanNothingChangeNothing() {
    MappingModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setLook(table());
    model.setData(model.index(2, MappingModel::Means), "happiness", Qt::EditRole);
    QCOMPARE(model.mapping().columns[2].role, ColumnRole::Ignore);
    QVERIFY(!model.setData(model.index(2, MappingModel::Name), "other", Qt::EditRole));
    QVERIFY(!model.setData(model.index(2, MappingModel::Means), "power", Qt::DisplayRole));
    QVERIFY(!model.setData({}, "power", Qt::EditRole));
    TableMapping whole = model.mapping();
    whole.columns.clear();
    whole.decimalComma = true;
    model.setTable(whole);  // the table as a whole is said anew, its columns stay
    QCOMPARE(model.rowCount(), 4);
    QVERIFY(model.mapping().decimalComma);
}

void ImportModelsTest::filesAreLookedAtOneByOne() {
    const draw::Theme theme = draw::lightTheme();
    LookModel model({"/logs/power.csv", "/traces/run.json"}, theme);
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(text(model, 0, LookModel::File), QString("power.csv"));
    QCOMPARE(text(model, 0, LookModel::Note), QString("looking…"));
    QVERIFY(!model.rows()[0].taken());
    const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setLook(0, readableLook());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 0);
    QVERIFY(model.rows()[0].taken());
    QCOMPARE(text(model, 0, LookModel::Devices), QString("GPU 0"));
    QCOMPARE(text(model, 1, LookModel::Note), QString("looking…"));
}

void ImportModelsTest::fileIsLeftOutByItsBox() {
    const draw::Theme theme = draw::lightTheme();
    LookModel model({"/logs/power.csv"}, theme);
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setLook(0, readableLook());
    const QModelIndex box = model.index(0, LookModel::File);
    QVERIFY(box.flags() & Qt::ItemIsUserCheckable);
    QVERIFY(model.setData(box, Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!model.rows()[0].taken());
    QCOMPARE(text(model, 0, LookModel::Note), QString("left out"));
    QVERIFY(!model.setData(model.index(0, LookModel::Note), Qt::Checked, Qt::CheckStateRole));
    QVERIFY(model.setData(box, Qt::Checked, Qt::CheckStateRole));
    QVERIFY(model.rows()[0].taken());
}

void ImportModelsTest::unreadableFileHasNoBox() {
    const draw::Theme theme = draw::darkTheme();
    LookModel model({"/logs/strange.bin"}, theme);
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    FileLook look;
    look.path = "/logs/strange.bin";
    look.error = "no format fits";
    model.setLook(0, look);
    const QModelIndex file = model.index(0, LookModel::File);
    QVERIFY(!(file.flags() & Qt::ItemIsUserCheckable));
    QCOMPARE(file.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Unchecked));
    QCOMPARE(model.index(0, LookModel::Note).data(Qt::ForegroundRole).value<QColor>(), theme.bad);
    QVERIFY(!model.rows()[0].taken());
}

QTEST_MAIN(ImportModelsTest)
#include "tst_import_models.moc"
