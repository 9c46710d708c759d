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
};

void ThemeTest::textReadsOnItsGrounds() {
    for (const Theme &theme : {lightTheme(), darkTheme()})
        for (const QColor &ground : {theme.background, theme.panel})
            for (const QColor &text : {theme.text, theme.muted, theme.bad, theme.warn, theme.good})
                QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + " on " + ground.name()));
}

void ThemeTest::labelsReadOnEveryFill() {
    for (const Theme &theme : {lightTheme(), darkTheme()})
        for (const auto &[name, fill] : theme.opClass)
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

QTEST_GUILESS_MAIN(ThemeTest)
#include "tst_theme.moc"
