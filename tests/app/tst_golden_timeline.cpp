// The timeline of a simulated run against pictures kept in tests/golden, at five zooms in both themes. CTest runs the
// program twice, at one and at two device pixels a point; each has its own pictures, for a column of half the width may
// show another slice. They are averaged over squares of 8 points: letters become a tint, so that another font passes,
// while a slice, a lane or a curve that is missing, moved or coloured otherwise does not. WATTPROOF_UPDATE_GOLDEN=1
// writes the pictures anew: look at them.
#include "tests/app/window_fixture.h"

#include <QImage>
#include <QPainter>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

constexpr int kWidth = 960, kHeight = 480, kSquare = 8;
constexpr int kColumns = kWidth / kSquare, kRows = kHeight / kSquare;
constexpr int kFar = 20;             // of 255: further apart than another font's letters make a square
constexpr double kMostFar = 0.01;    // share of the squares
constexpr double kMostMean = 1.5;    // of 255, over all squares

struct Difference {
    double farShare = 0, mean = 0;
    [[nodiscard]] bool isSmall() const { return farShare <= kMostFar && mean <= kMostMean; }
};

int distance(QRgb a, QRgb b) {
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

Difference differenceOf(const QImage &a, const QImage &b) {
    Difference difference;
    for (int y = 0; y < kRows; ++y) {
        for (int x = 0; x < kColumns; ++x) {
            const int apart = distance(a.pixel(x, y), b.pixel(x, y));
            difference.mean += apart;
            difference.farShare += apart > kFar ? 1 : 0;
        }
    }
    difference.mean /= kColumns * kRows;
    difference.farShare /= kColumns * kRows;
    return difference;
}

QRgb meanColour(const QImage &image, const QRect &part) {
    std::int64_t red = 0, green = 0, blue = 0;
    for (int y = part.top(); y <= part.bottom(); ++y) {
        for (int x = part.left(); x <= part.right(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            red += qRed(pixel);
            green += qGreen(pixel);
            blue += qBlue(pixel);
        }
    }
    const std::int64_t count = std::int64_t{part.width()} * part.height();
    return qRgb(static_cast<int>(red / count), static_cast<int>(green / count), static_cast<int>(blue / count));
}

// One pixel for each square of points, whatever the device pixel ratio.
QImage squaresOf(const QImage &picture) {
    const int side = kSquare * picture.width() / kWidth;
    QImage squares(kColumns, kRows, QImage::Format_RGB32);
    for (int y = 0; y < kRows; ++y)
        for (int x = 0; x < kColumns; ++x)
            squares.setPixel(x, y, meanColour(picture, {x * side, y * side, side, side}));
    return squares;
}

QString goldenPath(const QString &name, double ratio) {
    return QStringLiteral(WATTPROOF_SOURCE_DIR "/tests/golden/timeline_%1_%2x.png").arg(name).arg(ratio);
}

}  // namespace

class GoldenTimelineTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void looksAsKept_data();
    void looksAsKept();
    void anotherFontPasses();
    void whatIsMissingOrMovedDoesNot();
    void twoPixelsAPointAreSharp();

private:
    [[nodiscard]] TimeView &view() { return window_->session().view(); }
    [[nodiscard]] QImage picture();

    std::unique_ptr<WindowFixture> window_;
    std::unique_ptr<TimelinePane> pane_;
    store::KernelInterval longest_;
};

void GoldenTimelineTest::initTestCase() {
    window_ = std::make_unique<WindowFixture>();
    QVERIFY(window_->open(simulatedRun().both()));
    longest_ = window_->longestKernel();
    pane_ = std::make_unique<TimelinePane>(&window_->session());
    pane_->resize(kWidth, kHeight);
    pane_->show();
    QVERIFY(QTest::qWaitForWindowExposed(pane_.get()));
}

void GoldenTimelineTest::cleanupTestCase() {
    pane_.reset();
    window_.reset();
}

// Answers come as events, and painting may ask again.
QImage GoldenTimelineTest::picture() {
    for (int i = 0; i < 6; ++i) {
        window_->session().queries().service().waitIdle();
        QTest::qWait(10);
        pane_->grab();
    }
    return pane_->grab().toImage();
}

void GoldenTimelineTest::looksAsKept_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<double>("share");  // of the run that is visible
    for (const bool dark : {false, true})
        for (const auto &[name, share] : {std::pair("whole", 1.0), std::pair("tenth", 0.1), std::pair("hundredth", 0.01),
                                          std::pair("kernels", 0.002), std::pair("one", 0.0002)})
            QTest::addRow("%s_%s", name, dark ? "dark" : "light") << dark << share;
}

void GoldenTimelineTest::looksAsKept() {
    QFETCH(bool, dark);
    QFETCH(double, share);
    pane_->setTheme(dark ? draw::darkTheme() : draw::lightTheme());
    const TimeRange whole = view().extent();
    const Ns half = static_cast<Ns>(static_cast<double>(whole.length()) * share / 2);
    const Ns middle = share < 1 ? longest_.range.begin : whole.begin + whole.length() / 2;
    view().setVisible({middle - half, middle + half});
    const QImage shown = picture(), squares = squaresOf(shown);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    const QString path = goldenPath(name, pane_->devicePixelRatioF());
    if (qEnvironmentVariableIsSet("WATTPROOF_UPDATE_GOLDEN")) {
        QVERIFY(squares.save(path));
        QVERIFY(shown.save(name + ".png"));
        QSKIP("written anew");
    }
    const QImage kept(path);
    QCOMPARE(kept.size(), squares.size());
    const Difference difference = differenceOf(kept, squares);
    if (!difference.isSmall())
        shown.save(name + ".png");
    QVERIFY2(difference.isSmall(), qPrintable(QStringLiteral("%1 of the squares are far off, %2 of 255 on average: see %3.png")
                                                  .arg(difference.farShare)
                                                  .arg(difference.mean)
                                                  .arg(name)));
}

void GoldenTimelineTest::anotherFontPasses() {
    pane_->setTheme(draw::lightTheme());
    view().fitAll();
    const QImage before = squaresOf(picture());
    const QFont font = pane_->font();
    QFont other = font;
    other.setFamilies({QStringLiteral("DejaVu Serif"), QStringLiteral("Liberation Serif")});
    other.setItalic(true);
    pane_->setFont(other);
    const Difference difference = differenceOf(before, squaresOf(picture()));
    pane_->setFont(font);
    QVERIFY2(difference.isSmall(), qPrintable(QString::number(difference.farShare)));
}

void GoldenTimelineTest::whatIsMissingOrMovedDoesNot() {
    pane_->setTheme(draw::lightTheme());
    view().setVisible({longest_.range.begin - longest_.range.length(), longest_.range.end + longest_.range.length()});
    pane_->reveal(longest_.track, window_->rowOf(longest_.slice));
    const QImage shown = picture(), before = squaresOf(shown);
    const QRectF row = pane_->rowRect(longest_.track, window_->rowOf(longest_.slice));
    QVERIFY(!row.isEmpty());
    const double ratio = shown.width() / static_cast<double>(kWidth);
    QImage missing = shown;
    QPainter(&missing).fillRect(QRectF(row.topLeft() * ratio, row.size() * ratio), draw::lightTheme().background);
    QVERIFY(!differenceOf(before, squaresOf(missing)).isSmall());
    const int lane = static_cast<int>(row.height() * ratio);
    QImage moved = shown.copy(0, lane, shown.width(), shown.height() - lane).copy(0, 0, shown.width(), shown.height());
    QVERIFY(!differenceOf(before, squaresOf(moved)).isSmall());
}

// A picture that was drawn at one pixel a point and enlarged has no detail within a point.
void GoldenTimelineTest::twoPixelsAPointAreSharp() {
    if (pane_->devicePixelRatioF() < 2)
        QSKIP("one pixel a point");
    pane_->setTheme(draw::lightTheme());
    view().fitAll();
    const QImage shown = picture();
    QCOMPARE(shown.width(), 2 * kWidth);
    int detailed = 0;
    for (int y = 0; y + 1 < shown.height(); y += 2)
        for (int x = 0; x + 1 < shown.width(); x += 2)
            detailed += distance(shown.pixel(x, y), shown.pixel(x + 1, y)) > kFar ||
                        distance(shown.pixel(x, y), shown.pixel(x, y + 1)) > kFar;
    QVERIFY2(detailed > kWidth * kHeight / 100, qPrintable(QString::number(detailed)));
}

QTEST_MAIN(GoldenTimelineTest)
#include "tst_golden_timeline.moc"
