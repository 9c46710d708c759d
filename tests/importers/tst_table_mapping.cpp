// Tables that nobody recognises: what is guessed of them, and what their mapping reads.
#include "importers/look/look.h"
#include "importers/power/table_guess.h"
#include "importers/session.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QScopeGuard>
#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

class TableMappingTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void namesAndUnitsTellColumns();
    void lettersAreUnitsOnlyBesideAQuantity();
    void germanSemicolonsAndDecimalCommas();
    void preambleAndNoHeader();
    void dayFirstIsFoundByAscent();
    void dateAndClockInTwoColumns();
    void countsWithoutUnitTakeTheirStepsUnit();
    void risingEnergyIsACounter();
    void jsonLinesAreATable();
    void proseAndTracesAreNoTables();
    void fixedChoicesAreKept();
    void mappingReadsInSi();
    void mappingByPositionOverridesTheHeadersUnit();
    void jsonLinesAreRead();
    void incompleteMappingSaysWhatIsMissing();
    void keptDescriptorIsRecognisedLater();
    void choicesOfOneFileLeaveOthersAlone();

private:
    QString write(const QString &name, const QByteArray &bytes) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        return file.fileName();
    }
    FileLook look(const QString &path, const TableMapping &mapping) {
        Options options;
        const auto json = descriptorOf(mapping, "test");
        if (!json)
            qFatal("%s", json.error().sentence().c_str());
        options.files[path.toStdString()] = {{}, {}, *json};
        return *lookAt(path.toStdString(), options, Task());
    }
    QTemporaryDir folder_;
};

namespace {

TableLook guess(std::string_view text) {
    auto look = guessTable(text, nullptr);
    if (!look)
        qFatal("%s", look.error().sentence().c_str());
    return *look;
}

std::string told(const MappedColumn &column) {
    switch (column.role) {
        case ColumnRole::Ignore:
            return "-";
        case ColumnRole::Time:
            return "time";
        case ColumnRole::Date:
            return "date";
        case ColumnRole::Device:
            return "device";
        case ColumnRole::Value:
            break;
    }
    return column.quantity + " " + column.unit + " " + word(column.kind) + (column.device.empty() ? "" : " of " + column.device);
}

QStringList told(const TableLook &look) {
    QStringList all;
    for (const MappedColumn &column : look.mapping.columns)
        all << QString::fromStdString(told(column));
    return all;
}

constexpr const char *kGerman =
    "Messung Labor 3\n"
    "Zeitpunkt;Karte;Leistung (mW);Temp;Bemerkung\n"
    "22.07.2025 05:10:00;A;250000,5;61,5;ok\n"
    "22.07.2025 05:10:01;A;251000,0;61,6;ok\n"
    "22.07.2025 05:10:02;A;249000,0;61,7;ok\n"
    "22.07.2025 05:10:03;A;250500,0;61,9;ok\n";

}  // namespace

void TableMappingTest::initTestCase() {
    QVERIFY(folder_.isValid());
    qputenv("XDG_CONFIG_HOME", folder_.filePath("config").toUtf8());
}

void TableMappingTest::namesAndUnitsTellColumns() {
    const TableLook look = guess("when_stamp,card,chip_pwr_mw,hotspot temp,core MHz,avg_power_w,util,note,serial\n"
                                 "2025-07-22T05:10:00Z,0,250000,61,1500,250,97,a,7\n"
                                 "2025-07-22T05:10:01Z,1,251000,62,1510,251,98,b,3\n"
                                 "2025-07-22T05:10:02Z,0,249000,63,1490,249,99,c,9\n"
                                 "2025-07-22T05:10:03Z,1,249500,63,1490,249,99,d,1\n");
    QCOMPARE(told(look), (QStringList{"time", "device", "power mW gauge", "temperature C gauge", "clock MHz gauge", "power W mean",
                                      "utilisation % gauge", "-", "-"}));
    QVERIFY(look.mapping.deviceIsIndex);
    QVERIFY(look.mapping.hasHeader);
    for (const MappedColumn &column : look.mapping.columns)
        QVERIFY2(!column.why.empty(), column.header.c_str());
}

void TableMappingTest::lettersAreUnitsOnlyBesideAQuantity() {
    const TableLook look = guess("t_s,Path A,rail_a,power W\n0,1,2,3\n1,2,1,3\n2,1,1,3\n");
    QCOMPARE(told(look), (QStringList{"time", "-", "current A gauge", "power W gauge"}));
}

void TableMappingTest::germanSemicolonsAndDecimalCommas() {
    const TableLook look = guess(kGerman);
    QCOMPARE(look.mapping.delimiter, ';');
    QVERIFY(look.mapping.decimalComma);
    QCOMPARE(look.mapping.rowsBefore, std::size_t{1});
    QCOMPARE(told(look), (QStringList{"time", "device", "power mW gauge", "temperature C gauge", "-"}));
}

void TableMappingTest::preambleAndNoHeader() {
    const TableLook look = guess("made by a logger\n\n1.0\t5.1\n2.0\t5.2\n3.0\t5.3\n4.0\t5.2\n5.0\t5.2\n6.0\t5.2\n");
    QVERIFY(!look.mapping.hasHeader);
    QCOMPARE(look.mapping.rowsBefore, std::size_t{1});
    QCOMPARE(look.mapping.columns[1].header, std::string("column 2"));
    QCOMPARE(told(look), (QStringList{"time", "-"}));
    QCOMPARE(look.mapping.timeUnit, std::string("s"));
}

void TableMappingTest::dayFirstIsFoundByAscent() {
    QCOMPARE(guess("date,watts\n16/06/2020 09:59:00,4\n17/06/2020 09:59:01,5\n18/06/2020 09:59:02,5\n").mapping.timeUnit, std::string("datetime_dmy"));
    QCOMPARE(guess("date,watts\n02/28/2022 02:25:26,4\n03/01/2022 02:25:27,5\n03/02/2022 02:25:28,5\n").mapping.timeUnit, std::string("datetime_mdy"));
}

void TableMappingTest::dateAndClockInTwoColumns() {
    const TableLook look = guess("Date,Clock time,Watts\n2025-07-22,05:10:00.5,4.1\n2025-07-22,05:10:01.5,4.2\n2025-07-22,05:10:02.5,4.2\n");
    QCOMPARE(told(look), (QStringList{"date", "time", "power W gauge"}));
}

void TableMappingTest::countsWithoutUnitTakeTheirStepsUnit() {
    QCOMPARE(guess("tick time,watts\n0,4\n100,5\n200,5\n300,4\n").mapping.timeUnit, std::string("ms"));
    QCOMPARE(guess("tick time,watts\n0.1,4\n0.2,5\n0.3,5\n").mapping.timeUnit, std::string("s"));
    QCOMPARE(guess("t_us,watts\n5,4\n6,5\n7,5\n").mapping.timeUnit, std::string("us"));
    QCOMPARE(guess("stamp,watts\n1753160400,4\n1753160401,5\n1753160402,5\n").mapping.timeUnit, std::string("auto"));
}

void TableMappingTest::risingEnergyIsACounter() {
    const TableLook look = guess("t_s,total_kwh,step energy,socket draw\n0,1.5,3,90000\n1,1.6,2,91000\n2,1.7,4,90500\n3,1.8,1,90100\n");
    QCOMPARE(told(look), (QStringList{"time", "energy kWh counter", "energy J delta", "power mW gauge"}));
    QVERIFY(QString::fromStdString(look.mapping.columns[3].why).contains("suggests mW"));
}

void TableMappingTest::jsonLinesAreATable() {
    const TableLook look = guess("{\"ts\": 1753160400.5, \"sensor\": {\"power_w\": 201.5, \"temp\": 61}, \"host\": \"a\"}\n"
                                 "{\"ts\": 1753160401.5, \"sensor\": {\"power_w\": 202.5, \"temp\": 62}, \"host\": \"a\"}\n"
                                 "{\"ts\": 1753160402.5, \"sen");
    QVERIFY(look.mapping.jsonLines);
    QCOMPARE(look.rows.size(), std::size_t{2});
    QStringList headers;
    for (const MappedColumn &column : look.mapping.columns)
        headers << QString::fromStdString(column.header + "=" + told(column));
    headers.sort();
    QCOMPARE(headers, (QStringList{"host=device", "sensor/power_w=power W gauge", "sensor/temp=temperature C gauge", "ts=time"}));
}

void TableMappingTest::proseAndTracesAreNoTables() {
    for (const std::string_view text :
         {std::string_view("Dear all, this is no table.\nIt has, alas, commas.\nBut no, numbers at all.\n"), std::string_view(""),
          std::string_view("{\"traceEvents\": [{\"ph\": \"X\"}]}"), std::string_view("<html>a,1\nb,2\n"), std::string_view("a,1\n\0,2\n", 8)})
        QVERIFY2(!guessTable(text, nullptr), std::string(text).c_str());
}

void TableMappingTest::fixedChoicesAreKept() {
    TableMapping fixed;
    fixed.delimiter = ';';
    fixed.rowsBefore = 2;
    fixed.hasHeader = false;
    const auto look = guessTable(kGerman, &fixed);
    QVERIFY(look);
    QCOMPARE(look->mapping.rowsBefore, std::size_t{2});
    QCOMPARE(look->mapping.columns[0].header, std::string("column 1"));
    QVERIFY(!look->mapping.decimalComma);
}

void TableMappingTest::mappingReadsInSi() {
    const QString path = write("german.csv", kGerman);
    TableMapping mapping = guess(kGerman).mapping;
    const FileLook seen = look(path, mapping);
    QVERIFY2(seen.readable(), seen.error.c_str());
    QCOMPARE(seen.channels.size(), std::size_t{2});
    QCOMPARE(seen.channels[0].quantity, std::string("power"));
    QCOMPARE(seen.channels[0].unit, std::string("W"));
    QCOMPARE(seen.channels[0].first.front().value, 250.0005);
    QCOMPARE(seen.channels[0].device, std::string("A"));
    QCOMPARE(seen.channels[1].most, 61.9);
    QCOMPARE(seen.clock, ClockBasis::WallAssumedZone);
    QCOMPARE(seen.samples, std::int64_t{8});
}

void TableMappingTest::mappingByPositionOverridesTheHeadersUnit() {
    const QByteArray text = "time_s,power (W),power (W)\n0,1500,1\n1,1600,2\n2,1700,3\n";
    TableMapping mapping = guess(text.toStdString()).mapping;
    mapping.columns[1].unit = "mW";
    mapping.columns[2].role = ColumnRole::Ignore;
    const FileLook seen = look(write("wrong_unit.csv", text), mapping);
    QVERIFY2(seen.readable(), seen.error.c_str());
    QCOMPARE(seen.channels.size(), std::size_t{1});
    QCOMPARE(seen.channels[0].first.size(), std::size_t{3});
    QCOMPARE(seen.channels[0].first[0].value, 1.5);
    QVERIFY(seen.warnings.empty());
}

void TableMappingTest::jsonLinesAreRead() {
    const QByteArray text = "{\"ts\": 1753160400.5, \"sensor\": {\"power_mw\": 201500}}\n{\"ts\": 1753160401.5, \"sensor\": {\"power_mw\": 202500}}\n";
    const QString path = write("lines.jsonl", text);
    Options none;
    const auto before = lookAt(path.toStdString(), none, Task());
    QVERIFY(before && !before->readable() && before->isTable);
    const FileLook seen = look(path, guess(text.toStdString()).mapping);
    QVERIFY2(seen.readable(), seen.error.c_str());
    QCOMPARE(seen.channels.size(), std::size_t{1});
    QCOMPARE(seen.channels[0].first[1].value, 202.5);
    QCOMPARE(seen.channels[0].first[1].ts, Ns{1'753'160'401'500'000'000});
}

void TableMappingTest::incompleteMappingSaysWhatIsMissing() {
    TableMapping mapping = guess(kGerman).mapping;
    mapping.columns[2].unit = "furlong";
    QVERIFY(QString::fromStdString(descriptorOf(mapping, "x").error().sentence()).contains("unit of \"Leistung (mW)\""));
    mapping.columns[0].role = ColumnRole::Ignore;
    QVERIFY(QString::fromStdString(descriptorOf(mapping, "x").error().sentence()).contains("No column holds the time"));
}

void TableMappingTest::keptDescriptorIsRecognisedLater() {
    const QByteArray text = "moment,alpha,beta\n0,1500,1\n1,1600,2\n2,1700,3\n";
    const QString path = write("odd.csv", text);
    const auto before = lookAt(path.toStdString(), {}, Task());
    QVERIFY(before && !before->readable());
    TableMapping mapping = guess(text.toStdString()).mapping;
    mapping.columns[0].role = ColumnRole::Time;
    mapping.columns[1].role = ColumnRole::Value;
    mapping.columns[1].quantity = "power";
    mapping.columns[1].unit = "mW";
    const auto json = descriptorOf(mapping, "Lab bench 7");
    QVERIFY(json);
    const auto kept = keepDescriptor(*json, "Lab bench 7");
    QVERIFY2(kept, kept ? "" : kept.error().sentence().c_str());
    const auto forgotten = qScopeGuard([&kept] { QFile::remove(QString::fromStdString(*kept)); });
    QVERIFY(kept->ends_with("/power/lab-bench-7.json"));
    QVERIFY(!keepDescriptor(*json, "Lab bench 7"));
    QVERIFY(!keepDescriptor(*json, "turbostat"));
    const auto after = lookAt(path.toStdString(), {}, Task());
    QVERIFY2(after && after->readable(), after->error.c_str());
    QCOMPARE(after->format, std::string("lab-bench-7"));
    const std::vector<FormatName> offered = formatsByHand();
    QVERIFY(std::any_of(offered.begin(), offered.end(),
                        [](const FormatName &name) { return name.format == "lab-bench-7"; }));
}

void TableMappingTest::choicesOfOneFileLeaveOthersAlone() {
    const QByteArray rows = "timestamp,power_w\n2025-07-22 05:10:00,200\n2025-07-22 05:10:01,201\n2025-07-22 05:10:02,202\n";
    const QString one = write("one.csv", rows), other = write("other.csv", rows + "2025-07-22 05:10:03,203\n");
    Options options;
    options.files[one.toStdString()].zone = "+02:00";
    const QString target = folder_.filePath("two.wattproof");
    QVERIFY(importToNew({one.toStdString(), other.toStdString()}, target.toStdString(), options, Task()));
    const auto workspace = store::Workspace::open(target.toStdString());
    QVERIFY(workspace);
    const auto reader = (*workspace)->reader();
    const auto sources = (*reader)->sources();
    QCOMPARE(sources->size(), std::size_t{2});
    QCOMPARE(sources->at(1).statedBase - sources->at(0).statedBase, Ns{7200} * 1'000'000'000);
    QCOMPARE(importers::optionsOf(**reader, sources->at(0).id)->timezone, std::string("+02:00"));
    QCOMPARE(importers::optionsOf(**reader, sources->at(1).id)->timezone, std::string());
}

QTEST_GUILESS_MAIN(TableMappingTest)
#include "tst_table_mapping.moc"
