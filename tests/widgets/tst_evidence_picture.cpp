#include "report/draw/evidence_picture.h"
#include "tests/support/temporary_workspace.h"
#include "tests/support/timeline_run.h"

#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTest>
#include <QXmlStreamReader>

using namespace wattproof;
using namespace wattproof::draw;
using namespace wattproof::test;

class EvidencePictureTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void isValidXml();
    void hostileNamesAreEscaped();
    void hasStreamsHostAndPower();
    void namedTracksAreChosen();
    void clampsAreHatchedAndNamed();
    void gapsAreNamed();
    void emptyRangeGivesNoPicture();
    void emptyStretchSaysSo();
    void manySlicesStaySmall();
    void rendersInItsColours();

private:
    [[nodiscard]] std::string svg(TimeRange range, const std::vector<std::string> &tracks = {},
                                  const std::vector<ClampMark> &clamps = {}) const {
        return evidenceSvg(*reader_, range, tracks, lightTheme(), QSize(900, 200), clamps);
    }
    [[nodiscard]] static QString textOf(const std::string &document);

    TemporaryWorkspace files_;
    TimelineRun run_;
    std::shared_ptr<store::Workspace> workspace_;
    std::unique_ptr<store::Reader> reader_;
    TimeRange whole_;
};

void EvidencePictureTest::initTestCase() {
    files_.create([this](store::BulkWriter &writer) { run_ = timelineRun(writer); });
    workspace_ = files_.open();
    reader_ = require(workspace_->reader());
    whole_ = require(reader_->extent());
}

// All character data, joined; the test fails where the document is not well-formed.
QString EvidencePictureTest::textOf(const std::string &document) {
    QXmlStreamReader xml(QString::fromStdString(document));
    QString text;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::Characters)
            text += xml.text().toString() + QLatin1Char('\n');
    return xml.hasError() ? QStringLiteral("not XML: ") + xml.errorString() : text;
}

void EvidencePictureTest::isValidXml() {
    const std::string document = svg(whole_);
    QVERIFY2(document.starts_with("<svg"), document.substr(0, 80).c_str());
    QVERIFY(document.find("mm\"") == std::string::npos);
    QVERIFY2(!textOf(document).startsWith(QStringLiteral("not XML")), qPrintable(textOf(document)));
}

void EvidencePictureTest::hostileNamesAreEscaped() {
    const std::string document = svg(whole_);
    QVERIFY(document.find("<script") == std::string::npos);
    QVERIFY(document.find('\x01') == std::string::npos);
    QVERIFY(textOf(document).contains(QStringLiteral("<script>")));
}

void EvidencePictureTest::hasStreamsHostAndPower() {
    const QString text = textOf(svg(whole_));
    for (const char *part : {"stream 7", "stream 20", "main", "power", "gemm", "communication", "ms"})
        QVERIFY2(text.contains(QLatin1String(part)), part);
}

void EvidencePictureTest::namedTracksAreChosen() {
    const QString text = textOf(svg(whole_, {"stream 20"}));
    QVERIFY(text.contains(QStringLiteral("stream 20")));
    QVERIFY(!text.contains(QStringLiteral("stream 7")));
    QVERIFY(textOf(svg(whole_, {"GPU 0/stream 7"})).contains(QStringLiteral("stream 7")));
    QVERIFY(textOf(svg(whole_, {"no such track"})).contains(QStringLiteral("stream 7")));
}

void EvidencePictureTest::clampsAreHatchedAndNamed() {
    const ClampMark clamp{run_.gpu, {whole_.begin, whole_.begin + 30 * kMs}, "thermal", "hw_thermal_slowdown"};
    QVERIFY(textOf(svg(whole_, {}, {clamp})).contains(QStringLiteral("Thermal clamp")));
    QVERIFY(!textOf(svg(whole_)).contains(QStringLiteral("Thermal clamp")));
    const ClampMark elsewhere{run_.gpu, {whole_.end + kMs, whole_.end + 2 * kMs}, "thermal", ""};
    QVERIFY(!textOf(svg(whole_, {}, {elsewhere})).contains(QStringLiteral("Thermal clamp")));
}

void EvidencePictureTest::gapsAreNamed() {
    QVERIFY(textOf(svg(whole_)).contains(QStringLiteral("no samples")));
    QVERIFY(!textOf(svg({whole_.begin, whole_.begin + 50 * kMs})).contains(QStringLiteral("no samples")));
}

void EvidencePictureTest::emptyRangeGivesNoPicture() {
    QVERIFY(svg({5, 5}).empty());
}

void EvidencePictureTest::emptyStretchSaysSo() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &) {});
    const auto workspace = files.open();
    const auto reader = require(workspace->reader());
    QVERIFY(textOf(evidenceSvg(*reader, {0, kMs}, {}, lightTheme(), QSize(600, 120)))
                .contains(QStringLiteral("nothing recorded")));
}

void EvidencePictureTest::manySlicesStaySmall() {
    const TimeRange dense{whole_.begin + 85 * kMs, whole_.begin + 95 * kMs};
    QVERIFY2(svg(dense).size() < 150'000, qPrintable(QString::number(svg(dense).size())));
}

void EvidencePictureTest::rendersInItsColours() {
    QSvgRenderer renderer(QByteArray::fromStdString(svg(whole_)));
    QVERIFY(renderer.isValid());
    QImage image(renderer.defaultSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    int gemm = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            gemm += image.pixel(x, y) == lightTheme().fillOf("gemm").rgb() ? 1 : 0;
    QVERIFY2(gemm > 500, qPrintable(QString::number(gemm)));
}

QTEST_MAIN(EvidencePictureTest)
#include "tst_evidence_picture.moc"
