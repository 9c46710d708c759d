// The whole run at a glance: busy share, power, clamps, and the visible range as a window that can be dragged. Where
// events lie far from the main part of the run it shows that part, with a mark that leads on, until the view leaves it.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_scale.h"
#include "widgets/minimap/viewport.h"
#include "widgets/occupancy/activity_data.h"
#include "widgets/plot/picture_cache.h"
#include "widgets/plot/run_tables.h"

#include <QPixmap>
#include <QWidget>

namespace wattproof::widgets {

class Minimap : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(Session *session, QWidget *parent = nullptr);

    void setTheme(const draw::Theme &);
    // The scale of what it shows of the extent, in this widget's coordinates.
    [[nodiscard]] draw::TimeScale extentScale() const;

    [[nodiscard]] QSize sizeHint() const override { return {1000, 44}; }

protected:
    void paintEvent(QPaintEvent *) override;
    void resizeEvent(QResizeEvent *) override;
    void mousePressEvent(QMouseEvent *) override;
    void mouseMoveEvent(QMouseEvent *) override;
    void mouseReleaseEvent(QMouseEvent *) override;
    void mouseDoubleClickEvent(QMouseEvent *) override;
    void wheelEvent(QWheelEvent *) override;
    void keyPressEvent(QKeyEvent *) override;

private:
    void invalidate();
    void renderRun();
    void paintBusyShare(QPainter &, const QRectF &) const;
    void paintPower(QPainter &, const QRectF &);
    void paintWindow(QPainter &) const;
    void paintCaption(QPainter &) const;
    void paintMarks(QPainter &) const;
    void followView();
    void sayWhatIsOutside();
    [[nodiscard]] bool leavesOut() const;

    Session *session_;
    RunData *data_;
    ActivityData *activity_;
    PictureCache pictures_;
    draw::Theme theme_ = draw::lightTheme();
    QPixmap picture_;
    bool dirty_ = true;
    ViewportPart held_ = ViewportPart::Outside;
    bool dragging_ = false;
    Ns pressedTime_ = 0;
    TimeRange pressedVisible_;
    TimeRange shown_;  // stays as it is while dragging
};

}  // namespace wattproof::widgets
