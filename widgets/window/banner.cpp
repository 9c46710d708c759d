#include "widgets/window/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPolygonF>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtMath>

namespace wattproof::widgets {
namespace {

constexpr int kMost = 3;
constexpr int kMark = 16;

QPolygonF regular(int corners, double radius, QPointF centre, double turn) {
    QPolygonF shape;
    for (int i = 0; i < corners; ++i) {
        const double angle = turn + 2 * M_PI * i / corners;
        shape << centre + QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    return shape;
}

QColor colourOf(Severity severity, const draw::Theme &theme) {
    switch (severity) {
        case Severity::Info:
            return theme.accent;
        case Severity::Warning:
            return theme.warn;
        case Severity::Error:
            break;
    }
    return theme.bad;
}

void drawShape(QPainter &painter, Severity severity) {
    const QPointF centre(kMark / 2.0, kMark / 2.0);
    if (severity == Severity::Info)
        painter.drawEllipse(centre, 7, 7);
    else if (severity == Severity::Warning)
        painter.drawPolygon(regular(3, 8.5, centre + QPointF(0, 1.5), -M_PI / 2));
    else
        painter.drawPolygon(regular(8, 7.5, centre, M_PI / 8));
}

QPixmap markOf(Severity severity, const draw::Theme &theme, double ratio) {
    QPixmap pixmap(QSize(kMark, kMark) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor fill = colourOf(severity, theme);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    drawShape(painter, severity);
    QFont font = painter.font();
    font.setPixelSize(11);
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(draw::Theme::labelOn(fill));
    painter.drawText(QRectF(0, severity == Severity::Warning ? 2 : 0, kMark, kMark), Qt::AlignCenter,
                     severity == Severity::Info ? QStringLiteral("i") : QStringLiteral("!"));
    return pixmap;
}

QString severityWord(Severity severity) {
    switch (severity) {
        case Severity::Info:
            return Banner::tr("Note");
        case Severity::Warning:
            return Banner::tr("Warning");
        case Severity::Error:
            break;
    }
    return Banner::tr("Error");
}

}  // namespace

Banner::Banner(Notice notice, const draw::Theme &theme, QWidget *parent)
    : QFrame(parent), notice_(std::move(notice)), mark_(new QLabel(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    auto *text = new QLabel(notice_.text, this);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(mark_, 0, Qt::AlignTop);
    layout->addWidget(text, 1);
    if (!notice_.actionText.isEmpty()) {
        auto *button = new QPushButton(notice_.actionText, this);
        layout->addWidget(button, 0, Qt::AlignTop);
        connect(button, &QPushButton::clicked, this, [this] {
            const auto action = notice_.action;  // outlives the banner that close removes
            emit closed();
            if (action)
                action();
        });
    }
    auto *close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close message"));
    layout->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QToolButton::clicked, this, &Banner::closed);
    setAccessibleName(severityWord(notice_.severity) + QStringLiteral(": ") + notice_.text);
    setTheme(theme);
}

void Banner::setTheme(const draw::Theme &theme) {
    mark_->setPixmap(markOf(notice_.severity, theme, devicePixelRatioF()));
    QPalette mine = palette();
    const QColor tint = colourOf(notice_.severity, theme);
    const auto blend = [&](int a, int b) { return static_cast<int>(a * 0.88 + b * 0.12); };
    const QColor back(blend(theme.panel.red(), tint.red()), blend(theme.panel.green(), tint.green()),
                      blend(theme.panel.blue(), tint.blue()));
    mine.setColor(QPalette::Window, back);
    setPalette(mine);
}

BannerStack::BannerStack(const draw::Theme &theme, QWidget *parent)
    : QWidget(parent), theme_(&theme), layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(0);
    hide();
}

void BannerStack::show(Notice notice) {
    if (!notice.key.isEmpty())
        dismiss(notice.key);
    auto *banner = new Banner(std::move(notice), *theme_, this);
    connect(banner, &Banner::closed, this, [this, banner] { remove(banner); });
    layout_->insertWidget(0, banner);
    while (layout_->count() > kMost)
        remove(qobject_cast<Banner *>(layout_->itemAt(layout_->count() - 1)->widget()));
    QWidget::show();
}

void BannerStack::remove(Banner *banner) {
    layout_->removeWidget(banner);
    banner->hide();
    banner->deleteLater();
    setVisible(layout_->count() > 0);
}

void BannerStack::dismiss(const QString &key) {
    for (Banner *banner : banners())
        if (banner->notice().key == key)
            remove(banner);
}

void BannerStack::clear() {
    for (Banner *banner : banners())
        remove(banner);
}

void BannerStack::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    for (Banner *banner : banners())
        banner->setTheme(theme);
}

QList<Banner *> BannerStack::banners() const {
    QList<Banner *> all;
    for (int i = 0; i < layout_->count(); ++i)
        all << qobject_cast<Banner *>(layout_->itemAt(i)->widget());
    return all;
}

QStringList BannerStack::texts() const {
    QStringList all;
    for (const Banner *banner : banners())
        all << banner->notice().text;
    return all;
}

}  // namespace wattproof::widgets
