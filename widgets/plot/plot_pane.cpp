#include "widgets/plot/plot_pane.h"

#include "widgets/panes/words.h"
#include "widgets/plot/axis_choices.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

namespace wattproof::widgets {
namespace {

constexpr double kScrollPerNotch = 57;  // three rows
constexpr int kScrollWidth = 10;
constexpr double kTurnPerPixel = 2;  // of a wheel, in eighths of a degree: sixty pixels are a notch

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
    : QWidget(parent), session_(session), choices_(AxisChoices::of(session)), scroll_(new QScrollBar(Qt::Vertical, this)) {
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
    connect(choices_, &AxisChoices::changed, this, &PlotPane::invalidate);
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

draw::TimeWords PlotPane::timeWords() const {
    return choices_->words();
}

// Dashed, and without a wash: it stays while areas come and go.
void PlotPane::paintMark(QPainter &painter, double top, double bottom) const {
    const draw::TimeScale scale = timeScale();
    if (!choices_->mark() || !scale.shows(*choices_->mark()))
        return;
    painter.setPen(QPen(theme_.text, 0, Qt::DashLine));
    for (const Ns edge : {choices_->mark()->begin, choices_->mark()->end})
        if (const double x = scale.x(edge); x >= scale.left && x <= scale.right())
            painter.drawLine(QLineF(x, top, x, bottom));
}

void PlotPane::paintTag(QPainter &painter, const QString &text, const QPointF &beside) const {
    const QFontMetricsF metrics(painter.font(), this);
    const QSizeF size(metrics.horizontalAdvance(text) + 8, metrics.height() + 4);
    const double right = width() - size.width();
    const QRectF box(QPointF(std::clamp<double>(beside.x() + 12, kGutterWidth, std::max<double>(kGutterWidth, right)),
                             std::clamp<double>(beside.y() - size.height() - 4, 0, height() - size.height())),
                     size);
    painter.fillRect(box, theme_.text);
    painter.setPen(theme_.background);
    painter.drawText(box, Qt::AlignCenter, text);
}

void PlotPane::paintAreaAndCursor(QPainter &painter, double top, double bottom) const {
    const draw::TimeScale scale = timeScale();
    if (view().selection().isArea())
        paintArea(painter, scale, view().selection().range, top, bottom, theme_);
    paintMark(painter, top, bottom);
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
    if (drag_ == Drag::Area)
        paintTag(painter, durationText(view().selection().range.length()), last_);
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

// Ctrl + wheel zooms whatever the wheel alone does, Shift + wheel and sideways turns move in time. A touchpad says
// pixels: those are followed exactly.
void PlotPane::wheelEvent(QWheelEvent *event) {
    const QPoint turn = event->angleDelta(), pixels = event->pixelDelta();
    const bool exact = !pixels.isNull();
    const QPointF moved = exact ? QPointF(pixels) : QPointF(turn);
    const bool sideways = std::abs(moved.x()) > std::abs(moved.y());
    const bool zoom = (event->modifiers() & Qt::ControlModifier) || choices_->wheel() == WheelUse::Zoom;
    if (sideways || (event->modifiers() & Qt::ShiftModifier))
        panPixels(-(sideways ? moved.x() : moved.y()));
    else if (inPlot(event->position()) && zoom)
        zoomAt(event->position().x(), wheelZoom(exact ? moved.y() * kTurnPerPixel : moved.y()));
    else
        scrollPixels(exact ? -moved.y() : -moved.y() / 120.0 * kScrollPerNotch);
    event->accept();
}

void PlotPane::zoomAt(double x, double factor) {
    view().zoomAround(timeScale().time(x), factor);
}

void PlotPane::panPixels(double pixels) {
    const double exact = pixels * timeScale().nsPerPixel() + panRest_;
    const Ns whole = static_cast<Ns>(exact);
    panRest_ = exact - static_cast<double>(whole);
    view().panBy(whole);
}

void PlotPane::scrollPixels(double pixels) {
    const double exact = pixels + scrollRest_;
    scrollRest_ = exact - std::round(exact);
    scrollBy(exact);
}

// Two fingers drawn apart zoom about the pointer.
bool PlotPane::event(QEvent *event) {
    if (event->type() != QEvent::NativeGesture)
        return QWidget::event(event);
    const auto *gesture = static_cast<QNativeGestureEvent *>(event);
    if (gesture->gestureType() != Qt::ZoomNativeGesture || !inPlot(gesture->position()))
        return QWidget::event(event);
    zoomAt(gesture->position().x(), 1 / std::clamp(1 + gesture->value(), 0.2, 5.0));
    return true;
}

void PlotPane::mousePressEvent(QMouseEvent *event) {
    const bool pan = event->button() == Qt::MiddleButton ||
                     (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier));
    pressed_ = last_ = event->position();
    pressedTime_ = timeScale().time(pressed_.x());
    panRest_ = scrollRest_ = 0;
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
        panPixels(last_.x() - at.x());
        scrollPixels(last_.y() - at.y());
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
    update();  // without what stood beside the pointer
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
