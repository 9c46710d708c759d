// What the overlay draws column by column: dense curves, stacks and clamps.
#include "report/draw/column_image.h"
#include "report/draw/hatch.h"
#include "widgets/overlay/curve.h"
#include "widgets/overlay/stack_painter.h"

#include <cmath>
#include <limits>

#include <QImage>
#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

QImage paintedOn(const draw::ColumnImage &columns) {
    QImage image(columns.area().size().toSize(), QImage::Format_RGB32);
    image.fill(draw::lightTheme().background);
    QPainter painter(&image);
    columns.paint(painter);
    return image;
}

store::CounterBucket bucket(Ns ts, double low, double high, bool gapBefore = false) {
    return {ts, ts + 4, low, high, low, high, 2, gapBefore};
}

}  // namespace

class OverlayColumnsTest : public QObject {
    Q_OBJECT

private slots:
    void translucentColoursMix();
    void hatchIsThatOfThePainter();
    void spansHoldTheExtremesOfTheirColumn();
    void linesStayOpenWhereNothingIsKnown();
    void dashesTellDenseLinesApart();
    void denseCountersAreDrawnInPixelsOfTheDevice();
    void doubtedLayersAreHatched();
    void sumsWithAnUnknownPartAreHatched();
    void clampsOfTwoDevicesAreHatchedOnce();
};

void OverlayColumnsTest::translucentColoursMix() {
    draw::ColumnImage columns(QRectF(0, 0, 4, 4));
    columns.fill(0, 0, 4, qPremultiply(qRgba(200, 0, 0, 255)));
    columns.fill(0, 0, 4, qPremultiply(qRgba(0, 100, 200, 128)));
    columns.fill(9, 0, 4, qRgba(0, 0, 0, 255));  // outside: nothing
    const QRgb mixed = paintedOn(columns).pixel(0, 1);
    QVERIFY(std::abs(qRed(mixed) - 100) < 3 && std::abs(qGreen(mixed) - 50) < 3 &&
            std::abs(qBlue(mixed) - 100) < 3);
    QCOMPARE(paintedOn(columns).pixel(1, 1), draw::lightTheme().background.rgb());
}

// The two ways to hatch missing data may stand side by side.
void OverlayColumnsTest::hatchIsThatOfThePainter() {
    QImage expected(60, 40, QImage::Format_RGB32);
    expected.fill(draw::lightTheme().background);
    QPainter painter(&expected);
    draw::paintMissing(painter, QRectF(0, 0, 60, 40), draw::lightTheme());
    painter.end();
    draw::ColumnImage columns(QRectF(0, 0, 60, 40));
    for (int column = 0; column < 60; ++column)
        columns.hatch(column, 0, 40, draw::missingPixels(draw::lightTheme()));
    const QImage drawn = paintedOn(columns);
    int darker = 0, expectedDarker = 0;
    for (int y = 4; y < 36; ++y)
        for (int x = 4; x < 56; ++x) {
            darker += qGray(drawn.pixel(x, y)) < 235 ? 1 : 0;
            expectedDarker += qGray(expected.pixel(x, y)) < 235 ? 1 : 0;
        }
    QVERIFY2(darker > 200 && std::abs(darker - expectedDarker) < 60,
             qPrintable(QStringLiteral("%1 %2").arg(darker).arg(expectedDarker)));
}

void OverlayColumnsTest::spansHoldTheExtremesOfTheirColumn() {
    Curve curve;
    curve.items = {bucket(0, 5, 6), bucket(5, 1, 2), bucket(10, 3, 9)};
    const auto spans = columnSpans(curve, {{0, 100}, 0, 10});  // ten nanoseconds a pixel
    QCOMPARE(spans.size(), 2U);
    QCOMPARE(spans[0].low, 1.0);
    QCOMPARE(spans[0].high, 6.0);
    QVERIFY(!spans[0].joined && spans[1].joined);
    QCOMPARE(spans[1].column, 1);
    QVERIFY(!draw::isDense(curve.items, {{0, 100}, 0, 10}));
    QVERIFY(draw::isDense(curve.items, {{0, 20}, 0, 2}));
}

void OverlayColumnsTest::linesStayOpenWhereNothingIsKnown() {
    Curve curve;
    curve.items = {bucket(0, 5, 5),  bucket(10, 5, 5), bucket(50, 5, 5, true),
                   bucket(60, 5, 5), bucket(70, 5, 5), bucket(80, 5, 5)};
    curve.doubts = {{{60, 75}, Doubt::Frozen, 5, 5, 4}};
    const auto spans = columnSpans(curve, {{0, 100}, 0, 10});
    draw::ColumnImage columns(QRectF(0, 0, 10, 10));
    fillLine(columns, spans, {0, 10, 0, 10}, Qt::black, Qt::SolidLine);
    const QImage image = paintedOn(columns);
    for (const int column : {0, 1, 5, 8})
        QCOMPARE(image.pixelColor(column, 5), QColor(Qt::black));
    for (const int column : {2, 3, 4, 6, 7, 9})
        QCOMPARE(image.pixelColor(column, 5), draw::lightTheme().background);
}

void OverlayColumnsTest::dashesTellDenseLinesApart() {
    Curve curve;
    for (Ns ts = 0; ts < 1000; ts += 10)
        curve.items.push_back(bucket(ts, 5, 5));
    const auto spans = columnSpans(curve, {{0, 1000}, 0, 100});
    const auto inked = [&](Qt::PenStyle style) {
        draw::ColumnImage columns(QRectF(0, 0, 100, 10));
        fillLine(columns, spans, {0, 10, 0, 10}, Qt::black, style);
        const QImage image = paintedOn(columns);
        int found = 0;
        for (int x = 0; x < 100; ++x)
            found += image.pixelColor(x, 5) == QColor(Qt::black) ? 1 : 0;
        return found;
    };
    QCOMPARE(inked(Qt::SolidLine), 100);
    QVERIFY(inked(Qt::DashLine) < 75 && inked(Qt::DotLine) < 40 && inked(Qt::DashDotLine) < 65);
}

void OverlayColumnsTest::denseCountersAreDrawnInPixelsOfTheDevice() {
    std::vector<store::CounterBucket> buckets;
    for (Ns ts = 0; ts < 1000; ts += 10)
        buckets.push_back(bucket(ts, 5, 5));
    QImage image(60, 40, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    image.fill(Qt::white);
    QPainter painter(&image);
    draw::paintColumns(painter, buckets, {{0, 1000}, 5, 25}, {0, 10, 0, 20}, Qt::black, 0.5);
    painter.end();
    for (int x = 0; x < image.width(); ++x) {
        int inked = 0;
        for (int y = 0; y < image.height(); ++y)
            inked += image.pixelColor(x, y) == QColor(Qt::black) ? 1 : 0;
        QCOMPARE(inked, x < 10 ? 0 : 1);
    }
    QCOMPARE(image.pixelColor(30, 20), QColor(Qt::black));
}

void OverlayColumnsTest::doubtedLayersAreHatched() {
    DrawnLayer layer{{0, false, std::vector<double>(60, 50), std::vector<double>(60, 50)},
                     "GPU 0",
                     QColor(10, 200, 10),
                     {{{20, 40}, Doubt::Frozen, 50, 50, 20}}};
    const draw::TimeScale scale{{0, 60}, 0, 60};
    draw::ColumnImage columns(QRectF(0, 0, 60, 100));
    fillStack(columns, {layer}, scale, {0, 100, 0, 100}, draw::lightTheme());
    const QImage image = paintedOn(columns);
    QCOMPARE(image.pixelColor(10, 80), layer.fill);
    QCOMPARE(image.pixelColor(50, 80), layer.fill);
    int strokes = 0;
    for (int x = 20; x < 40; ++x)
        for (int y = 60; y < 95; ++y) {
            QVERIFY(image.pixelColor(x, y) != layer.fill);
            strokes += image.pixelColor(x, y) == draw::lightTheme().muted ? 1 : 0;
        }
    QVERIFY(strokes > 80);
}

void OverlayColumnsTest::sumsWithAnUnknownPartAreHatched() {
    const std::vector<double> known(60, 30);
    std::vector<double> other(60, 20), top(60, 50);
    for (std::size_t column = 30; column < 60; ++column)
        other[column] = top[column] = kNaN;
    const std::vector<DrawnLayer> layers{{{0, false, known, known}, "GPU 0", QColor(10, 200, 10), {}},
                                         {{1, false, other, top}, "GPU 1", QColor(10, 10, 200), {}}};
    draw::ColumnImage columns(QRectF(0, 0, 60, 100));
    fillStack(columns, layers, {{0, 60}, 0, 60}, {0, 100, 0, 100}, draw::lightTheme());
    const QImage image = paintedOn(columns);
    QCOMPARE(image.pixelColor(10, 60), layers[1].fill);
    QCOMPARE(image.pixelColor(10, 20), draw::lightTheme().background);
    QCOMPARE(image.pixelColor(45, 90), layers[0].fill);
    QVERIFY(image.pixelColor(45, 20) != draw::lightTheme().background &&
            image.pixelColor(45, 60) != draw::lightTheme().background);
}

void OverlayColumnsTest::clampsOfTwoDevicesAreHatchedOnce() {
    const auto painted = [](const std::vector<draw::ClampMark> &marks) {
        QImage image(100, 40, QImage::Format_RGB32);
        image.fill(draw::lightTheme().background);
        QPainter painter(&image);
        draw::paintClamps(painter, marks, {{0, 100}, 0, 100}, 0, 40, draw::lightTheme());
        return image;
    };
    const draw::ClampMark one{DeviceId(1), {10, 60}, "power", ""}, second{DeviceId(2), {30, 80}, "power", ""};
    const QImage both = painted({one, second});
    QCOMPARE(both, painted({{DeviceId(1), {10, 80}, "power", ""}}));
    QVERIFY(both.pixelColor(20, 3) != draw::lightTheme().background &&
            both.pixelColor(70, 3) != draw::lightTheme().background);
    QCOMPARE(both.pixelColor(90, 3), draw::lightTheme().background);
    QVERIFY(painted({{DeviceId(1), {50, 51}, "thermal", ""}}) != painted({}));  // narrow ones are widened
}

QTEST_MAIN(OverlayColumnsTest)
#include "tst_overlay_columns.moc"
