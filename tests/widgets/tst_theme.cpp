#include "report/draw/counter_painter.h"
#include "report/draw/hatch.h"
#include "report/draw/labels.h"
#include "report/draw/lane_painter.h"
#include "report/draw/theme.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::draw;

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void textReadsOnItsGrounds();
    void labelsReadOnEveryFill();
    void labelsReadOnHashedFills();
    void linesAreSeen();
    void runsFadeToTheGround();
    void metricsComeFromTheTokens();
    void unknownClassesLookLikeOther();
    void sharesGoFromPaleToStrong();
    void namesAreColouredAsChosen();
};

void ThemeTest::textReadsOnItsGrounds() {
    for (const Theme &theme : {lightTheme(), darkTheme()})
        for (const QColor &ground : {theme.background, theme.panel})
            for (const QColor &text : {theme.text, theme.muted, theme.bad, theme.warn, theme.good})
                QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + " on " + ground.name()));
}

void ThemeTest::labelsReadOnEveryFill() {
    for (const Theme &theme : {lightTheme(), darkTheme()})
        for (const auto &fills : {theme.opClass, theme.precision})
            for (const auto &[name, fill] : fills)
                QVERIFY2(contrast(Theme::labelOn(fill), fill) >= 4.5, name.c_str());
}

void ThemeTest::labelsReadOnHashedFills() {
    for (const Theme &theme : {lightTheme(), darkTheme()})
        for (std::size_t hash = 0; hash < 2000; ++hash) {
            const QColor fill = theme.fillOfName(hash);
            QVERIFY(contrast(Theme::labelOn(fill), fill) >= 4.5);
        }
}

void ThemeTest::linesAreSeen() {
    for (const Theme &theme : {lightTheme(), darkTheme()}) {
        for (const auto &[name, fill] : theme.opClass)
            QVERIFY2(contrast(theme.lineOf(name), theme.background) >= 3, name.c_str());
        for (const char *quantity : {"power", "temperature", "clock", "utilisation"})
            QVERIFY2(contrast(channelColour(quantity, theme), theme.background) >= 3, quantity);
        for (const char *clamp : {"thermal", "power", "current", "other"})
            QVERIFY2(contrast(clampColour(clamp, theme), theme.background) >= 3, clamp);
    }
}

void ThemeTest::runsFadeToTheGround() {
    const QColor fill(0, 0x72, 0xB2);
    const Theme &theme = lightTheme();
    QCOMPARE(runFill(fill, 1, theme).rgb(), fill.rgb());
    QVERIFY(contrast(runFill(fill, 0.1F, theme), theme.background) <
            contrast(runFill(fill, 0.9F, theme), theme.background));
    QVERIFY(contrast(runFill(fill, 0, theme), theme.background) > 1.2);
}

void ThemeTest::metricsComeFromTheTokens() {
    QCOMPARE(lightTheme().rowHeight, 19);
    QVERIFY(lightTheme().handle >= 8);
    QCOMPARE(lightTheme().rowHeight, darkTheme().rowHeight);
}

void ThemeTest::unknownClassesLookLikeOther() {
    QCOMPARE(lightTheme().fillOf("no such class"), lightTheme().fillOf("other"));
}

void ThemeTest::sharesGoFromPaleToStrong() {
    for (const Theme &theme : {lightTheme(), darkTheme()}) {
        double before = 0;
        for (int percent = 0; percent <= 100; ++percent) {
            const QColor fill = theme.fillOfShare(percent / 100.0);
            QVERIFY(contrast(Theme::labelOn(fill), fill) >= 4.5);
            QVERIFY(contrast(fill, theme.background) >= before);
            before = contrast(fill, theme.background);
        }
        QCOMPARE(theme.fillOfShare(7).rgb(), theme.fillOfShare(1).rgb());
    }
}

void ThemeTest::namesAreColouredAsChosen() {
    const Theme &theme = lightTheme();
    const StringId kernel{1}, other{2}, host{3};
    NameLooks looks;
    looks.setClasses({{kernel, "gemm", "bf16"}, {other, "norm", ""}});
    for (const StringId name : {kernel, other, host})
        looks.add(name, "name " + std::to_string(name.value));
    const QColor hashed = looks.look(host).fill;
    QCOMPARE(looks.look(kernel).fill.rgb(), theme.fillOf("gemm").rgb());
    looks.setColourBy(ColourBy::Precision);
    QCOMPARE(looks.look(kernel).fill.rgb(), theme.fillOfPrecision("bf16").rgb());
    QCOMPARE(looks.look(other).fill.rgb(), theme.unknownFill().rgb());
    looks.setColourBy(ColourBy::Power);
    QCOMPARE(looks.look(kernel).fill.rgb(), theme.unknownFill().rgb());
    looks.setPower({{kernel, 100}, {other, 400}});
    QCOMPARE(looks.look(kernel).fill.rgb(), theme.fillOfShare(0.25).rgb());
    QCOMPARE(looks.look(other).fill.rgb(), theme.fillOfShare(1).rgb());
    QCOMPARE(looks.look(host).fill.rgb(), theme.unknownFill().rgb());
    looks.setColourBy(ColourBy::Name);
    QCOMPARE(looks.look(host).fill.rgb(), hashed.rgb());
    QVERIFY(looks.look(kernel).fill.rgb() != theme.fillOf("gemm").rgb());
    looks.setTheme(darkTheme());
    looks.setColourBy(ColourBy::Precision);
    QCOMPARE(looks.look(other).fill.rgb(), darkTheme().unknownFill().rgb());
}

QTEST_GUILESS_MAIN(ThemeTest)
#include "tst_theme.moc"
