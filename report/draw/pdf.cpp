#include "report/draw/pdf.h"

#include <QAbstractTextDocumentLayout>
#include <QFont>
#include <QImage>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QUrl>

namespace wattproof::draw {
namespace {

constexpr int kDpi = 144;
constexpr double kPictureScale = 2.0;

const char *printStyle() {
    return "body{color:#1b1f24} h1{font-size:18pt} h2{font-size:14pt} h3{font-size:12pt} h4{font-size:10pt;color:#5b6570}"
           "th{color:#5b6570;padding:2px 6px 2px 0} td{padding:2px 6px 2px 0} .muted{color:#5b6570} .bad{color:#cf222e}"
           ".warn{color:#9a6700} .figure{font-size:16pt} pre{font-size:8pt}";
}

QImage render(const std::string &svg, double width) {
    QSvgRenderer renderer(QByteArray::fromStdString(svg));
    if (!renderer.isValid())
        return {};
    const QSizeF size = renderer.defaultSize();
    const double scale = width / std::max(1.0, size.width());
    QImage image((size * scale * kPictureScale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    image.setDevicePixelRatio(kPictureScale);
    return image;
}

// The page's body: what a rich text document understands, without style sheet and embedded data.
QString bodyOf(const std::string &html) {
    const QString page = QString::fromStdString(html);
    const qsizetype begin = page.indexOf(QLatin1String("<body>"));
    const qsizetype data = page.indexOf(QLatin1String("<script"), begin);
    return page.mid(begin + 6, data - begin - 6);
}

void drawPages(QTextDocument &document, QPdfWriter &writer) {
    QPainter painter(&writer);
    const double height = document.pageSize().height();
    const int pages = document.pageCount();
    for (int page = 0; page < pages; ++page) {
        if (page > 0)
            writer.newPage();
        painter.save();
        painter.translate(0, -page * height);
        document.drawContents(&painter, QRectF(0, page * height, document.pageSize().width(), height));
        painter.restore();
    }
}

}  // namespace

Status writePdf(const report::Report &report, const report::PictureFn &picture, const std::string &path) {
    QSaveFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly))
        return failure("The report cannot be written: " + file.errorString().toStdString(), path,
                       "choose a folder that can be written to");
    QPdfWriter writer(&file);
    writer.setResolution(kDpi);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(15, 15, 15, 15), QPageLayout::Millimeter);
    writer.setTitle(QStringLiteral("Wattproof report"));

    QTextDocument document;
    QFont font = document.defaultFont();
    font.setPointSizeF(9);
    document.setDefaultFont(font);
    document.documentLayout()->setPaintDevice(&writer);
    document.setDefaultStyleSheet(QString::fromLatin1(printStyle()));
    const QSizeF page(writer.width(), writer.height());
    int count = 0;
    const auto placeholder = [&](TimeRange range, const std::vector<std::string> &tracks) {
        const QImage image = render(picture ? picture(range, tracks) : std::string(), page.width());
        if (image.isNull())
            return std::string();
        const QString name = QStringLiteral("picture:%1").arg(count++);
        document.addResource(QTextDocument::ImageResource, QUrl(name), image);
        return ("<img src=\"" + name + "\">").toStdString();
    };
    document.setHtml(bodyOf(report::toHtml(report, placeholder)));
    document.setPageSize(page);
    drawPages(document, writer);
    if (!file.commit())
        return failure("The report cannot be written: " + file.errorString().toStdString(), path,
                       "free some space or choose another folder");
    return {};
}

}  // namespace wattproof::draw
