#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

namespace {

using Rows = std::vector<std::vector<std::string>>;

struct Table {
    Rows rows;
    std::vector<std::uint64_t> lines;
    std::vector<bool> nul, newline;
    char delimiter = 0;
    std::uint64_t longLines = 0;
};

Table read(std::string bytes, char delimiter = 0) {
    const auto input = Input::fromBytes(std::move(bytes), "table.csv");
    TableReader reader(*input, delimiter);
    Table table;
    TableRow row;
    while (reader.next(row).value_or(false)) {
        table.rows.emplace_back(row.cells.begin(), row.cells.end());
        table.lines.push_back(row.line);
        table.nul.push_back(row.hadNul);
        table.newline.push_back(row.endsWithNewline);
    }
    table.delimiter = reader.delimiter();
    table.longLines = reader.longLines();
    return table;
}

std::string utf16(const std::u16string &text, bool little) {
    std::string bytes = little ? "\xFF\xFE" : "\xFE\xFF";
    for (const char16_t unit : text) {
        const char low = static_cast<char>(unit & 0xFFU), high = static_cast<char>(unit >> 8U);
        bytes += little ? low : high;
        bytes += little ? high : low;
    }
    return bytes;
}

}  // namespace

class TableTest : public QObject {
    Q_OBJECT

private slots:
    void cellsLoseTheirBlanks();
    void delimiterIsFound();
    void semicolonLeavesTheCommaToNumbers();
    void quotesProtectDelimiters();
    void unpairedQuoteEndsWithItsLine();
    void lineEndsOfAllKinds();
    void linesAreCountedWithBlankOnes();
    void byteOrderMarksAndUtf16();
    void nulBytesMarkTheirRow();
    void linesAboveTheLimitAreSkipped();
    void rowsDoNotDependOnHowTheBytesArrive();
    void foreignBytesBecomeUtf8();
    void numbersKeepTheirUnits();
    void decimalsBecomeExactIntegers();
    void unitsTurnIntoSi();
    void headersLoseTheirUnits();
};

void TableTest::cellsLoseTheirBlanks() {
    const Table table = read("timestamp, power.draw [W]\n2025/07/22 05:10:00.000,  100.00 W \n");
    QCOMPARE(table.rows, (Rows{{"timestamp", "power.draw [W]"}, {"2025/07/22 05:10:00.000", "100.00 W"}}));
}

void TableTest::delimiterIsFound() {
    QCOMPARE(read("a,b,c\n1,2,3\n").delimiter, ',');
    QCOMPARE(read("a\tb\tc\n1\t2\t3\n").delimiter, '\t');
    QCOMPARE(read("a;b\n1;2\n").delimiter, ';');
    QCOMPARE(read("timestamp\n1\n2\n").delimiter, ',');
}

void TableTest::semicolonLeavesTheCommaToNumbers() {
    const Table table = read("time;power\n05:10:00,000;120,5\n05:10:01,000;121,5\n");
    QCOMPARE(table.rows[1], (std::vector<std::string>{"05:10:00,000", "120,5"}));
}

void TableTest::quotesProtectDelimiters() {
    const Table table = read("a,b,c\n\"1,2\",\"say \"\"hi\"\"\",3\n\"['N/A', 'x']\",\"\",5\n");
    QCOMPARE(table.rows[1], (std::vector<std::string>{"1,2", "say \"hi\"", "3"}));
    QCOMPARE(table.rows[2], (std::vector<std::string>{"['N/A', 'x']", "", "5"}));
}

void TableTest::unpairedQuoteEndsWithItsLine() {
    const Table table = read("a,b\n1,\"2\n3,4\n");
    QCOMPARE(table.rows.size(), std::size_t{3});
    QCOMPARE(table.rows[2], (std::vector<std::string>{"3", "4"}));
}

void TableTest::lineEndsOfAllKinds() {
    const Table table = read("a,b\r\n1,2\r\n3,4");
    QCOMPARE(table.rows, (Rows{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
    QCOMPARE(table.newline, (std::vector<bool>{true, true, false}));
}

void TableTest::linesAreCountedWithBlankOnes() {
    const Table table = read("a,b\n\n  \n1,2\n\r\n3,4\n");
    QCOMPARE(table.lines, (std::vector<std::uint64_t>{1, 4, 6}));
}

void TableTest::byteOrderMarksAndUtf16() {
    const Rows expected{{"Zeit", "Temp [\xC2\xB0\x43]"}, {"1", "\xF0\x9F\x94\xA5"}};
    QCOMPARE(read("\xEF\xBB\xBFZeit,Temp [\xC2\xB0\x43]\n1,\xF0\x9F\x94\xA5\n").rows, expected);
    const std::u16string text = u"Zeit,Temp [\u00B0C]\n1,\U0001F525\n";
    QCOMPARE(read(utf16(text, true)).rows, expected);
    QCOMPARE(read(utf16(text, false)).rows, expected);
}

void TableTest::nulBytesMarkTheirRow() {
    const std::string nul(50, '\0');
    const Table table = read("a,b\n1,2\n" + nul + "\n" + nul + "3,4\n5,6\n");
    QCOMPARE(table.nul, (std::vector<bool>{false, false, true, true, false}));
    QCOMPARE(table.rows[3], (std::vector<std::string>{"3", "4"}));
}

void TableTest::linesAboveTheLimitAreSkipped() {
    const Table table = read("a,b\n" + std::string(3 * TableReader::kMaxLine, 'x') + "\n1,2\n");
    QCOMPARE(table.rows, (Rows{{"a", "b"}, {"1", "2"}}));
    QCOMPARE(table.longLines, std::uint64_t{1});
    QCOMPARE(table.lines[1], std::uint64_t{3});
}

void TableTest::rowsDoNotDependOnHowTheBytesArrive() {
    std::string text = "n,value\n";
    for (int i = 0; i < 60'000; ++i)  // several buffers long
        text += std::to_string(i) + "," + std::to_string(i * 7) + ".5\n";
    const Table table = read(text);
    QCOMPARE(table.rows.size(), std::size_t{60'001});
    for (std::size_t i = 1; i < table.rows.size(); ++i)
        QCOMPARE(table.rows[i],
                 (std::vector<std::string>{std::to_string(i - 1), std::to_string((i - 1) * 7) + ".5"}));
}

void TableTest::foreignBytesBecomeUtf8() {
    QCOMPARE(validUtf8("temp [\xB0\x43]"), std::string("temp [\xC2\xB0\x43]"));
    QCOMPARE(validUtf8("\xC3\xA9t\xC3\xA9"), std::string("\xC3\xA9t\xC3\xA9"));
    QCOMPARE(validUtf8("\xED\xA0\x80"), std::string("\xC3\xAD\xC2\xA0\xC2\x80"));  // a surrogate is no UTF-8
}

void TableTest::numbersKeepTheirUnits() {
    QCOMPARE(parseNumber("100.00 W", false)->value, 100.0);
    QCOMPARE(parseNumber("100.00 W", false)->rest, std::string_view("W"));
    QCOMPARE(parseNumber("120,5", true)->value, 120.5);
    QCOMPARE(parseNumber("120,5 W", true)->rest, std::string_view("W"));
    QCOMPARE(parseNumber("120,5", false)->rest, std::string_view(",5"));
    QCOMPARE(parseNumber("-3.5e2", false)->value, -350.0);
    for (const char *text : {"", "N/A", "nan", "inf", "-inf", "W 5", "1e999", "-", "+"})
        QVERIFY2(!parseNumber(text, false), text);
}

void TableTest::decimalsBecomeExactIntegers() {
    QCOMPARE(decimalToInteger("1763638585.215", 9), std::optional<std::int64_t>(1763638585215000000));
    QCOMPARE(decimalToInteger("0.0000000005", 9), std::optional<std::int64_t>(1));
    QCOMPARE(decimalToInteger("0.00000000049999", 9), std::optional<std::int64_t>(0));
    QCOMPARE(decimalToInteger("-0.5", 0), std::optional<std::int64_t>(0));
    QCOMPARE(decimalToInteger("-1.51", 0), std::optional<std::int64_t>(-2));
    QCOMPARE(decimalToInteger("2.097", 6), std::optional<std::int64_t>(2097000));
    for (const char *text : {"", "1.2.3", "abc", "1e5", "99999999999999999999", "."})
        QVERIFY2(!decimalToInteger(text, 3), text);
}

void TableTest::unitsTurnIntoSi() {
    QCOMPARE(unitScale("mW")->apply(250'000), 250.0);
    QCOMPARE(unitScale("MW")->apply(1), 1e6);
    QCOMPARE(unitScale("uJ")->apply(105'000'000), 105.0);
    QCOMPARE(unitScale("kWh")->apply(1), 3.6e6);
    QCOMPARE(unitScale("MHz")->apply(1410), 1.41e9);
    QCOMPARE(unitScale("MiB")->unit, std::string("B"));
    QCOMPARE(unitScale("%")->apply(50), 0.5);
    QCOMPARE(unitScale("\xC2\xB0\x43")->unit, std::string("degC"));
    QVERIFY(!unitScale("furlong"));
}

void TableTest::headersLoseTheirUnits() {
    QCOMPARE(splitUnit("power.draw [W]").name, std::string_view("power.draw"));
    QCOMPARE(splitUnit("power.draw [W]").unit, std::string_view("W"));
    QCOMPARE(splitUnit(" Power (mW) ").unit, std::string_view("mW"));
    QCOMPARE(splitUnit("[W]").name, std::string_view("[W]"));
    QCOMPARE(splitUnit("index").unit, std::string_view(""));
}

QTEST_APPLESS_MAIN(TableTest)
#include "tst_table.moc"
