#include "widgets/plot/plot_pane.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

namespace wattproof::widgets {
namespace {

constexpr double kScrollPerNotch = 57;  // three rows
constexpr int kScrollWidth = 10;

void paintArea(QPainter &painter, const draw::TimeScale &scale, TimeRange range, double top, double bottom,
               const draw::Theme &theme) {
    if (!scale.shows(range))
        return;
    const double left = std::max(scale.left, scale.x(range.begin)),
                 right = std::min(scale.right(), scale.x(range.end));
    QColor wash = theme.accent;
    wash.setAlpha(theme.dark ? 48 : 36);
    painter.fillRect(QRectF(QPointF(left, top), QPointF(right, bottom)), wash);
    painter.setPen(QPen(theme.accent, 0));
    for (const Ns edge : {range.begin, range.end})
        if (const double x = scale.x(edge); x >= scale.left && x <= scale.right())
            painter.drawLine(QLineF(x, top, x, bottom));
}

}  // namespace

PlotPane::PlotPane(Session *session, QWidget *parent)
    : QWidget(parent), session_(session), scroll_(new QScrollBar(Qt::Vertical, this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumWidth(kGutterWidth + 120);
    const auto repaint = [this] { update(); };
    scroll_->setAccessibleName(tr("Scroll"));
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->hide();
    connect(scroll_, &QScrollBar::valueChanged, this, &PlotPane::invalidate);
    connect(&view(), &TimeView::visibleChanged, this, &PlotPane::invalidate);
    connect(&view(), &TimeView::cursorChanged, this, repaint);
    connect(&view(), &TimeView::selectionChanged, this, repaint);
}

void PlotPane::setTheme(const draw::Theme &theme) {
    theme_ = theme;
    themeChanged();
    invalidate();
}

void PlotPane::invalidate() {
    dirty_ = true;
    update();
}

void PlotPane::setContent(double height, int top) {
    contentHeight_ = height;
    contentTop_ = top;
    placeScrollBar();
    invalidate();
}

void PlotPane::placeScrollBar() {
    const int page = std::max(1, height() - contentTop_);
    const int beyond = std::max(0, static_cast<int>(std::ceil(contentHeight_)) - page);
    scroll_->setGeometry(kGutterWidth - kScrollWidth - 1, contentTop_, kScrollWidth, page);
    scroll_->setRange(0, beyond);
    scroll_->setPageStep(page);
    scroll_->setSingleStep(theme_.rowHeight);
    scroll_->setVisible(beyond > 0);
}

void PlotPane::scrollBy(double pixels) {
    scroll_->setValue(scroll_->value() + static_cast<int>(std::lround(pixels)));
}

double PlotPane::scrolled() const {
    return scroll_->value();
}

double PlotPane::nameWidth() const {
    return kGutterWidth - (scroll_->isHidden() ? 1 : kScrollWidth + 1);
}

draw::TimeScale PlotPane::timeScale() const {
    return {view().visible(), static_cast<double>(kGutterWidth),
            std::max(1.0, static_cast<double>(width() - kGutterWidth))};
}

void PlotPane::paintAreaAndCursor(QPainter &painter, double top, double bottom) const {
    const draw::TimeScale scale = timeScale();
    if (view().selection().isArea())
        paintArea(painter, scale, view().selection().range, top, bottom, theme_);
    if (const auto cursor = view().cursor(); cursor && view().visible().contains(*cursor)) {
        painter.setPen(QPen(theme_.text, 0));
        painter.drawLine(QLineF(scale.x(*cursor), top, scale.x(*cursor), bottom));
    }
}

void PlotPane::paintEmpty(QPainter &painter, const QString &title, const QString &remedy) const {
    const QRect plot(kGutterWidth, 0, width() - kGutterWidth, height());
    const int line = fontMetrics().height();
    painter.setPen(theme_.text);
    painter.drawText(plot.translated(0, -line / 2 - 2), Qt::AlignCenter, title);
    painter.setPen(theme_.muted);
    painter.drawText(plot.translated(0, line / 2 + 2), Qt::AlignCenter, remedy);
}

void PlotPane::paintGrounds(QPainter &painter) const {
    painter.fillRect(rect(), theme_.background);
    painter.fillRect(QRectF(0, 0, kGutterWidth, height()), theme_.panel);
    painter.fillRect(QRectF(kGutterWidth - devicePixel(), 0, devicePixel(), height()), theme_.grid);
}

void PlotPane::paintGutterText(QPainter &painter, const QString &text, double left, double top, double height,
                               const QColor &colour, double margin) const {
    const QFontMetricsF metrics(painter.font(), this);
    painter.setPen(colour);
    painter.drawText(QPointF(left, top + (height + metrics.ascent() - metrics.descent()) / 2),
                     metrics.elidedText(text, Qt::ElideMiddle, nameWidth() - left - margin));
}

void PlotPane::paintEvent(QPaintEvent *) {
    const QSize size = (QSizeF(this->size()) * devicePixelRatioF()).toSize();
    if (dirty_ || picture_.size() != size) {
        picture_ = QPixmap(size);
        picture_.setDevicePixelRatio(devicePixelRatioF());
        QPainter painter(&picture_);
        painter.setFont(font());
        dirty_ = false;  // before painting: data that arrives meanwhile counts
        paintPicture(painter);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, picture_);
    paintOver(painter);
}

void PlotPane::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    placeScrollBar();
    invalidate();
}

void PlotPane::changeEvent(QEvent *event) {
    if (event->type() == QEvent::FontChange)
        invalidate();
    QWidget::changeEvent(event);
}

void PlotPane::keyPressEvent(QKeyEvent *event) {
    const auto wanted = navigationFor(event->key(), event->modifiers());
    if (!wanted || (!command(*wanted) && !scrollCommand(*wanted) && !navigate(view(), *wanted)))
        QWidget::keyPressEvent(event);
}

bool PlotPane::scrollCommand(NavigationCommand command) {
    switch (command) {
        case NavigationCommand::ScrollUp:
            scrollBy(-kScrollPerNotch);
            return true;
        case NavigationCommand::ScrollDown:
            scrollBy(kScrollPerNotch);
            return true;
        case NavigationCommand::PageUp:
            scrollBy(-scroll_->pageStep());
            return true;
        case NavigationCommand::PageDown:
            scrollBy(scroll_->pageStep());
            return true;
        default:
            return false;
    }
}

void PlotPane::wheelEvent(QWheelEvent *event) {
    const QPoint turn = event->angleDelta();
    const double nsPerPixel = timeScale().nsPerPixel();
    const bool sideways = std::abs(turn.x()) > std::abs(turn.y());
    if (sideways || (event->modifiers() & Qt::ShiftModifier))
        view().panBy(static_cast<Ns>(-(sideways ? turn.x() : turn.y()) * nsPerPixel));
    else if (inPlot(event->position()))
        view().zoomAround(timeScale().time(event->position().x()), wheelZoom(turn.y()));
    else
        scrollBy(-turn.y() / 120.0 * kScrollPerNotch);
    event->accept();
}

void PlotPane::mousePressEvent(QMouseEvent *event) {
    const bool pan = event->button() == Qt::MiddleButton ||
                     (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier));
    pressed_ = last_ = event->position();
    pressedTime_ = timeScale().time(pressed_.x());
    panRest_ = 0;
    if (pan)
        drag_ = Drag::Pan;
    else if (event->button() == Qt::LeftButton)
        drag_ = startDrag(pressed_) ? Drag::Pane : Drag::Undecided;
}

void PlotPane::mouseMoveEvent(QMouseEvent *event) {
    const QPointF at = event->position();
    if (drag_ != Drag::None)
        continueDrag(at);
    if (inPlot(at))
        view().setCursor(timeScale().time(at.x()));
    if (drag_ == Drag::None)
        hovered(at);
    last_ = at;
}

void PlotPane::continueDrag(const QPointF &at) {
    if (drag_ == Drag::Undecided && inPlot(pressed_) &&
        std::abs(at.x() - pressed_.x()) >= QApplication::startDragDistance() / 2.0)
        drag_ = Drag::Area;
    if (drag_ == Drag::Pan) {
        // What is less than a nanosecond is kept, so that slow drags do not lose ground.
        const double exact = (last_.x() - at.x()) * timeScale().nsPerPixel() + panRest_;
        const Ns whole = static_cast<Ns>(exact);
        panRest_ = exact - static_cast<double>(whole);
        view().panBy(whole);
    } else if (drag_ == Drag::Area) {
        selectArea(at);
    } else if (drag_ == Drag::Pane) {
        dragTo(at);
    }
}

void PlotPane::selectArea(const QPointF &at) {
    const Ns other =
        timeScale().time(std::clamp(at.x(), static_cast<double>(kGutterWidth), static_cast<double>(width())));
    Selection selection;
    selection.range = {std::min(pressedTime_, other), std::max(pressedTime_, other)};
    selection.tracks = tracksBetween(std::min(pressed_.y(), at.y()), std::max(pressed_.y(), at.y()));
    view().select(selection);
}

void PlotPane::mouseReleaseEvent(QMouseEvent *event) {
    if (drag_ == Drag::Undecided)
        clicked(event->position());
    else if (drag_ == Drag::Pane)
        endDrag(event->position());
    drag_ = Drag::None;
}

void PlotPane::mouseDoubleClickEvent(QMouseEvent *event) {
    drag_ = Drag::None;
    if (event->button() == Qt::LeftButton)
        doubleClicked(event->position());
}

void PlotPane::leaveEvent(QEvent *event) {
    view().setCursor(std::nullopt);
    hoverEnded();
    QWidget::leaveEvent(event);
}

}  // namespace wattproof::widgets
