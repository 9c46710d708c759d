#include "widgets/minimap/minimap.h"

#include "report/draw/counter_painter.h"
#include "report/draw/hatch.h"
#include "report/report.h"
#include "widgets/occupancy/occupancy_painter.h"
#include "widgets/plot/navigation.h"
#include "widgets/search/hit_painter.h"
#include "widgets/search/slice_finder.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

namespace wattproof::widgets {
namespace {

constexpr int kMostPowerLines = 8;
constexpr double kArrow = 6;
constexpr double kTick = 5;  // height of the mark of a hit

}  // namespace

Minimap::Minimap(Session *session, QWidget *parent)
    : QWidget(parent),
      session_(session),
      data_(RunData::of(session)),
      activity_(ActivityData::of(session)),
      pictures_(session, "minimap", this) {
    setAccessibleName(tr("Overview of the whole run"));
    setAccessibleDescription(tr("Drag the window to move the visible range, its edges to change it."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumHeight(36);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto repaint = [this] { update(); };
    followView();
    sayWhatIsOutside();
    connect(data_, &RunData::changed, this, &Minimap::invalidate);
    connect(data_, &RunData::changed, this, &Minimap::sayWhatIsOutside);
    connect(activity_, &ActivityData::changed, this, &Minimap::invalidate);
    connect(&pictures_, &PictureCache::arrived, this, &Minimap::invalidate);
    connect(&session_->view(), &TimeView::extentChanged, this, &Minimap::followView);
    connect(&session_->view(), &TimeView::visibleChanged, this, &Minimap::followView);
    connect(&session_->view(), &TimeView::cursorChanged, this, repaint);
    connect(SliceFinder::of(session), &SliceFinder::changed, this, repaint);
    connect(SliceFinder::of(session), &SliceFinder::columnsChanged, this, repaint);
}

void Minimap::setTheme(const draw::Theme &theme) {
    theme_ = theme;
    invalidate();
}

void Minimap::invalidate() {
    dirty_ = true;
    update();
}

// A drag measures by the scale that it began with.
void Minimap::followView() {
    update();
    const TimeRange wanted = session_->view().overview();
    if (dragging_ || wanted == shown_)
        return;
    shown_ = wanted;
    sayWhatIsOutside();
    invalidate();
}

bool Minimap::leavesOut() const {
    return shown_ != session_->view().extent() && !data_->tables().mainPart.isAll();
}

void Minimap::sayWhatIsOutside() {
    const store::MainPart &part = data_->tables().mainPart;
    QStringList counts;
    if (part.before > 0)
        counts << tr("%1 before").arg(part.before);
    if (part.after > 0)
        counts << tr("%1 after").arg(part.after);
    setToolTip(leavesOut() ? tr("Events far from what is shown here: %1. Z fits the main part of the run, and once more "
                                "everything.").arg(counts.join(tr(", ")))
                           : QString());
}

draw::TimeScale Minimap::extentScale() const {
    return {shown_, static_cast<double>(kGutterWidth),
            std::max(1.0, static_cast<double>(width() - kGutterWidth))};
}

void Minimap::renderRun() {
    picture_ = QPixmap((QSizeF(size()) * devicePixelRatioF()).toSize());
    picture_.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&picture_);
    painter.setFont(font());
    dirty_ = false;
    painter.fillRect(rect(), theme_.background);
    painter.fillRect(QRectF(0, 0, kGutterWidth, height()), theme_.panel);
    const QRectF plot(kGutterWidth, 3, width() - kGutterWidth, height() - 6);
    paintBusyShare(painter, plot);
    paintPower(painter, plot);
    draw::paintClamps(painter, data_->tables().clamps, extentScale(), plot.top(), plot.bottom(), theme_);
    painter.fillRect(QRectF(0, height() - 1, width(), 1), theme_.grid);
    painter.fillRect(QRectF(kGutterWidth - 1, 0, 1, height()), theme_.grid);
}

// One strip for each device, so that one idle accelerator among eight shows.
void Minimap::paintBusyShare(QPainter &painter, const QRectF &plot) const {
    const Activity &activity = activity_->activity();
    if (activity.empty())
        return;
    const double strip = plot.height() / static_cast<double>(activity.size());
    QColor fill = computeFill(theme_);
    fill.setAlpha(theme_.dark ? 190 : 150);
    for (std::size_t i = 0; i < activity.size(); ++i)
        paintBusy(painter, activity[i].busy, extentScale(),
                  QRectF(plot.left(), plot.top() + static_cast<double>(i) * strip, plot.width(),
                         std::max(1.0, strip - 1)),
                  1 / devicePixelRatioF(), fill);
}

void Minimap::paintPower(QPainter &painter, const QRectF &plot) {
    int lines = 0;
    for (const CounterRow &counter : data_->tables().counters) {
        if (counter.quantity != "power" || counter.parent.valid() || ++lines > kMostPowerLines)
            continue;
        const CounterPicture &picture =
            pictures_.counter(counter.id, shown_, plot.width() * devicePixelRatioF());
        const draw::ValueScale values{0, std::max(1.0, counter.maxValue * 1.05), plot.top(), plot.bottom()};
        draw::paintCurve(painter, draw::counterCurve(picture.items, extentScale(), values, draw::shapeOf(counter)),
                         theme_.text);
    }
}

void Minimap::paintEvent(QPaintEvent *) {
    if (dirty_ || picture_.size() != (QSizeF(size()) * devicePixelRatioF()).toSize())
        renderRun();
    QPainter painter(this);
    painter.drawPixmap(0, 0, picture_);
    paintCaption(painter);
    paintWindow(painter);
    paintMarks(painter);
}

// Hits of the search, and arrows at the edges beyond which events lie.
void Minimap::paintMarks(QPainter &painter) const {
    const draw::TimeScale scale = extentScale();
    SliceFinder *finder = SliceFinder::of(session_);
    if (finder->isActive())
        paintHitTicks(painter, finder->columns(shown_, static_cast<std::size_t>(scale.width)),
                      QRectF(scale.left, 0, scale.width, kTick), theme_);
    if (!leavesOut())
        return;
    const store::MainPart &part = data_->tables().mainPart;
    const double middle = height() / 2.0;
    const auto arrow = [&](double tip, double back) {
        const QPointF corners[] = {{tip, middle}, {back, middle - kArrow}, {back, middle + kArrow}};
        painter.setPen(QPen(theme_.background, 0));
        painter.setBrush(theme_.text);
        painter.drawPolygon(corners, 3);
    };
    if (part.before > 0)
        arrow(kGutterWidth + 3, kGutterWidth + 3 + kArrow);
    if (part.after > 0)
        arrow(width() - 4, width() - 4 - kArrow);
}

void Minimap::paintCaption(QPainter &painter) const {
    const auto text = [](Ns length) { return QString::fromStdString(report::duration(length)); };
    const QRectF gutter(8, 0, kGutterWidth - 16, height());
    const double middle = height() / 2.0;
    painter.setPen(theme_.text);
    painter.drawText(QRectF(gutter.left(), middle - 17, gutter.width(), 17), Qt::AlignVCenter,
                     tr("Shown %1").arg(text(session_->view().visible().length())));
    painter.setPen(theme_.muted);
    painter.drawText(QRectF(gutter.left(), middle, gutter.width(), 17), Qt::AlignVCenter,
                     leavesOut() ? tr("of the main %1").arg(text(shown_.length()))
                                 : tr("of %1").arg(text(shown_.length())));
}

void Minimap::paintWindow(QPainter &painter) const {
    const draw::TimeScale scale = extentScale();
    const TimeRange visible = session_->view().visible();
    const double left = std::clamp(scale.x(visible.begin), scale.left, scale.right());
    const double right = std::clamp(std::max(scale.x(visible.end), left + 2), scale.left, scale.right());
    QColor shade = theme_.panel;
    shade.setAlpha(170);
    painter.fillRect(QRectF(scale.left, 0, left - scale.left, height() - 1), shade);
    painter.fillRect(QRectF(right, 0, scale.right() - right, height() - 1), shade);
    painter.setPen(QPen(theme_.accent, 0));
    painter.drawRect(QRectF(left, 0, std::max(1.0, right - left - 1), height() - 1));
    for (const double edge : {left, right - 1})  // grips: handles reach outwards from here
        painter.fillRect(QRectF(edge - 1, height() / 2.0 - 8, 3, 16), theme_.accent);
    if (const auto cursor = session_->view().cursor()) {
        painter.setPen(QPen(theme_.text, 0));
        painter.drawLine(QLineF(scale.x(*cursor), 0, scale.x(*cursor), height()));
    }
}

void Minimap::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    invalidate();
}

void Minimap::mousePressEvent(QMouseEvent *event) {
    const double x = event->position().x();
    if (event->button() != Qt::LeftButton || x < kGutterWidth)
        return;
    TimeView &view = session_->view();
    pressedTime_ = extentScale().time(x);
    held_ = viewportPart(x, extentScale(), view.visible(), theme_.handle);
    if (held_ == ViewportPart::Outside) {
        view.setVisible(centredViewport(view.visible(), pressedTime_));
        held_ = ViewportPart::Inside;
    }
    pressedVisible_ = view.visible();
    dragging_ = true;
}

void Minimap::mouseMoveEvent(QMouseEvent *event) {
    const double x = event->position().x();
    if (dragging_) {
        session_->view().setVisible(draggedViewport(held_, pressedVisible_, pressedTime_, extentScale().time(x)));
        return;
    }
    const ViewportPart part = viewportPart(x, extentScale(), session_->view().visible(), theme_.handle);
    const bool edge = part == ViewportPart::Begin || part == ViewportPart::End;
    setCursor(x < kGutterWidth ? Qt::ArrowCursor : edge ? Qt::SizeHorCursor : Qt::OpenHandCursor);
}

void Minimap::mouseReleaseEvent(QMouseEvent *) {
    dragging_ = false;
    followView();
}

void Minimap::mouseDoubleClickEvent(QMouseEvent *) {
    session_->view().fitAll();
}

void Minimap::wheelEvent(QWheelEvent *event) {
    TimeView &view = session_->view();
    view.zoomAround(view.visible().begin + view.visible().length() / 2, wheelZoom(event->angleDelta().y()));
    event->accept();
}

void Minimap::keyPressEvent(QKeyEvent *event) {
    const auto command = navigationFor(event->key(), event->modifiers());
    if (!command || !navigate(session_->view(), *command))
        QWidget::keyPressEvent(event);
}

}  // namespace wattproof::widgets
